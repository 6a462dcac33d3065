// Its entries in the sidebar.
import Template from '@mui/icons-material/LayersOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'develop/template': { icon: Template, name: { en: 'Images', zh: '镜像', ja: 'イメージ' } },
};
