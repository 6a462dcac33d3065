// Jobs and services: lists, creation, pages and edits.
import type { Area } from '../../area.ts';

export const deployArea: Area = {
  name: 'container-services',
  menus: () => import('./menus.ts'),
  words: ['workload', 'metrics'],
  pages: [
    {
      path: '/deploy/job',
      menu: 'deploy/job',
      first: ['jobs.title', 'jobs.lead'],
      load: () => import('./job/job-list-page.tsx').then(({ JobListPage }) => ({ Page: JobListPage })),
    },
    {
      path: '/deploy/job/create',
      menu: 'deploy/job',
      first: ['job.createTitle', 'job.createLead'],
      load: () => import('./job/job-pages.ts').then(({ JobCreatePage }) => ({ Page: JobCreatePage })),
    },
    {
      path: '/deploy/job/:id/:tab?',
      menu: 'deploy/job',
      of: 'gpujobs',
      load: () => import('./job/job-page.tsx').then(({ JobPage }) => ({ Page: JobPage })),
    },
    {
      path: '/deploy/job/:id/edit',
      menu: 'deploy/job',
      load: () => import('./job/job-pages.ts').then(({ JobEditPage }) => ({ Page: JobEditPage })),
    },
    {
      path: '/deploy/service',
      menu: 'deploy/service',
      first: ['services.title', 'services.lead'],
      load: () =>
        import('./container-service/service-list-page.tsx').then(({ ServiceListPage }) => ({ Page: ServiceListPage })),
    },
    {
      path: '/deploy/service/create',
      menu: 'deploy/service',
      first: ['service.createTitle', 'service.createLead'],
      load: () =>
        import('./container-service/service-pages.ts').then(({ ServiceCreatePage }) => ({
          Page: ServiceCreatePage,
        })),
    },
    {
      path: '/deploy/service/:id/:tab?',
      menu: 'deploy/service',
      of: 'containerservices',
      load: () => import('./container-service/service-page.tsx').then(({ ServicePage }) => ({ Page: ServicePage })),
    },
    {
      path: '/deploy/service/:id/edit',
      menu: 'deploy/service',
      load: () =>
        import('./container-service/service-pages.ts').then(({ ServiceEditPage }) => ({ Page: ServiceEditPage })),
    },
  ],
};
