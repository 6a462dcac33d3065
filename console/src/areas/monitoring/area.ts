// Monitoring: what is used now, objects side by side over time, and every metric there is.
import type { Area } from '../../area.ts';
import { pageOf } from '../../parts/area-pages.ts';

export const monitorArea: Area = {
  name: 'monitoring',
  menus: () => import('./menus.ts'),
  words: ['metrics'],
  pages: [
    {
      path: '/monitor/dashboard',
      menu: 'monitor/dashboard',
      first: ['overview.title', 'overview.lead'],
      load: pageOf(() => import('./overview-page.tsx'), 'OverviewPage'),
    },
    {
      path: '/monitor/dashboard/all',
      menu: 'monitor/dashboard',
      first: ['dashboards.title', 'dashboards.lead'],
      load: pageOf(() => import('./dashboard-list-page.tsx'), 'DashboardListPage'),
    },
    {
      path: '/monitor/dashboard/:id',
      menu: 'monitor/dashboard',
      load: pageOf(() => import('./dashboard-page.tsx'), 'DashboardPage'),
    },
    {
      path: '/monitor/performance',
      menu: 'monitor/performance',
      first: ['performance.title', 'performance.lead'],
      load: pageOf(() => import('./performance-page.tsx'), 'PerformancePage'),
    },
    {
      path: '/monitor/analysis',
      menu: 'monitor/analysis',
      first: ['analysis.title', 'analysis.leads.topology'],
      load: pageOf(() => import('./analysis-page.tsx'), 'TopologyPage'),
    },
    {
      path: '/monitor/analysis/services',
      menu: 'monitor/analysis',
      first: ['analysis.title', 'analysis.leads.services'],
      load: pageOf(() => import('./analysis-page.tsx'), 'ServicesPage'),
    },
    {
      path: '/monitor/analysis/pods',
      menu: 'monitor/analysis',
      first: ['analysis.title', 'analysis.leads.pods'],
      load: pageOf(() => import('./analysis-page.tsx'), 'PodsPage'),
    },
    {
      path: '/monitor/analysis/hosts',
      menu: 'monitor/analysis',
      first: ['analysis.title', 'analysis.leads.hosts'],
      load: pageOf(() => import('./analysis-page.tsx'), 'HostsPage'),
    },
    {
      path: '/monitor/metric',
      menu: 'monitor/metric',
      first: ['metric.title', 'metric.lead'],
      load: pageOf(() => import('./metric-page.tsx'), 'MetricPage'),
    },
  ],
};
