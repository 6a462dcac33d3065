// Its entries in the sidebar.
import Processing from '@mui/icons-material/AccountTreeOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'data/processing': { icon: Processing, name: { en: 'Data processing', zh: '数据处理', ja: 'データ処理' } },
};
