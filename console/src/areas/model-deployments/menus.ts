// Its entries in the sidebar.
import Deployment from '@mui/icons-material/RocketLaunchOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'model/deployment': { icon: Deployment, name: { en: 'Model deployment', zh: '模型部署', ja: 'モデルデプロイ' } },
};
