// Its entries in the sidebar.
import Home from '@mui/icons-material/HomeOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  home: { icon: Home, name: { en: 'Home', zh: '首页', ja: 'ホーム' } },
};
