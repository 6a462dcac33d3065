// Its entries in the sidebar.
import Account from '@mui/icons-material/AccountCircleOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'manage/account': { icon: Account, name: { en: 'My account', zh: '我的账号', ja: 'マイアカウント' } },
};
