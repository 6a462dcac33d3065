// Its entries in the sidebar.
import Model from '@mui/icons-material/HubOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'model/space': { icon: Model, name: { en: 'Model space', zh: '模型空间', ja: 'モデルスペース' } },
};
