// Its entries in the sidebar.

import Alarm from '@mui/icons-material/NotificationsActiveOutlined';
import Policy from '@mui/icons-material/PolicyOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'monitor/policy': { icon: Policy, name: { en: 'Alert policies', zh: '告警策略', ja: 'アラートポリシー' } },
  'monitor/alarm': { icon: Alarm, name: { en: 'Alert centre', zh: '告警中心', ja: 'アラートセンター' } },
};
