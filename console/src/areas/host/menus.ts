// Its entries in the sidebar.
import Nodes from '@mui/icons-material/DnsOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'gpu/nodes': { icon: Nodes, name: { en: 'Hosts', zh: '主机', ja: 'ホスト' } },
};
