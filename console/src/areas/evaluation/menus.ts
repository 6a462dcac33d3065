// Its entries in the sidebar.
import Evaluation from '@mui/icons-material/RuleOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'model/evaluation': { icon: Evaluation, name: { en: 'Evaluation', zh: '模型评估', ja: 'モデル評価' } },
};
