// Its entries in the sidebar.
import Dashboard from '@mui/icons-material/DashboardOutlined';
import Metric from '@mui/icons-material/ShowChartOutlined';
import Performance from '@mui/icons-material/SpeedOutlined';
import Analysis from '@mui/icons-material/TroubleshootOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'monitor/dashboard': { icon: Dashboard, name: { en: 'Dashboard', zh: '监控概览', ja: 'ダッシュボード' } },
  'monitor/performance': { icon: Performance, name: { en: 'Performance', zh: '性能', ja: 'パフォーマンス' } },
  'monitor/analysis': { icon: Analysis, name: { en: 'In-depth analysis', zh: '深度分析', ja: '詳細分析' } },
  'monitor/metric': { icon: Metric, name: { en: 'Metric centre', zh: '指标中心', ja: 'メトリクスセンター' } },
};
