// Monitoring: what is used now, objects side by side over time, and every metric there is.
import type { Area } from '../../area.ts';

export const monitorArea: Area = {
  name: 'monitoring',
  menus: () => import('./menus.ts'),
  words: ['metrics'],
  pages: [
    {
      path: '/monitor/dashboard',
      menu: 'monitor/dashboard',
      first: ['overview.title', 'overview.lead'],
      load: () => import('./overview-page.tsx').then(({ OverviewPage }) => ({ Page: OverviewPage })),
    },
    {
      path: '/monitor/dashboard/all',
      menu: 'monitor/dashboard',
      first: ['dashboards.title', 'dashboards.lead'],
      load: () => import('./dashboard-list-page.tsx').then(({ DashboardListPage }) => ({ Page: DashboardListPage })),
    },
    {
      path: '/monitor/dashboard/:id',
      menu: 'monitor/dashboard',
      load: () => import('./dashboard-page.tsx').then(({ DashboardPage }) => ({ Page: DashboardPage })),
    },
    {
      path: '/monitor/performance',
      menu: 'monitor/performance',
      first: ['performance.title', 'performance.lead'],
      load: () => import('./performance-page.tsx').then(({ PerformancePage }) => ({ Page: PerformancePage })),
    },
    {
      path: '/monitor/analysis',
      menu: 'monitor/analysis',
      first: ['analysis.title', 'analysis.leads.topology'],
      load: () => import('./analysis-page.tsx').then(({ TopologyPage }) => ({ Page: TopologyPage })),
    },
    {
      path: '/monitor/analysis/services',
      menu: 'monitor/analysis',
      first: ['analysis.title', 'analysis.leads.services'],
      load: () => import('./analysis-page.tsx').then(({ ServicesPage }) => ({ Page: ServicesPage })),
    },
    {
      path: '/monitor/analysis/pods',
      menu: 'monitor/analysis',
      first: ['analysis.title', 'analysis.leads.pods'],
      load: () => import('./analysis-page.tsx').then(({ PodsPage }) => ({ Page: PodsPage })),
    },
    {
      path: '/monitor/analysis/hosts',
      menu: 'monitor/analysis',
      first: ['analysis.title', 'analysis.leads.hosts'],
      load: () => import('./analysis-page.tsx').then(({ HostsPage }) => ({ Page: HostsPage })),
    },
    {
      path: '/monitor/metric',
      menu: 'monitor/metric',
      first: ['metric.title', 'metric.lead'],
      load: () => import('./metric-page.tsx').then(({ MetricPage }) => ({ Page: MetricPage })),
    },
  ],
};
