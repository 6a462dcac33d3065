// Its entries in the sidebar.
import Billing from '@mui/icons-material/PaymentsOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'manage/billing': { icon: Billing, name: { en: 'Billing', zh: '费用', ja: '請求' } },
};
