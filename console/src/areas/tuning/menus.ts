// Its entries in the sidebar.
import Tuning from '@mui/icons-material/ModelTrainingOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'model/finetune': { icon: Tuning, name: { en: 'Fine-tuning', zh: '模型微调', ja: 'ファインチューニング' } },
};
