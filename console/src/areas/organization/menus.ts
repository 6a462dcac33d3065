// Its entries in the sidebar.
import Organization from '@mui/icons-material/GroupsOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'manage/organization': { icon: Organization, name: { en: 'Organisation', zh: '组织', ja: '組織' } },
};
