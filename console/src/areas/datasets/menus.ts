// Its entries in the sidebar.
import Dataset from '@mui/icons-material/DatasetOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'data/space': { icon: Dataset, name: { en: 'Data space', zh: '数据空间', ja: 'データスペース' } },
};
