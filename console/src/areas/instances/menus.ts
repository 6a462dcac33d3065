// Its entries in the sidebar.
import Instance from '@mui/icons-material/TerminalOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'develop/instance': { icon: Instance, name: { en: 'Instances', zh: '实例', ja: 'インスタンス' } },
};
