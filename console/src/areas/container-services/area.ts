// Jobs and services: lists, creation, pages and edits.
import type { Area } from '../../area.ts';
import { kindPages, pageOf } from '../../parts/area-pages.ts';

export const deployArea: Area = {
  name: 'container-services',
  menus: () => import('./menus.ts'),
  words: ['workload', 'task', 'metrics', 'curves'],
  pages: [
    ...kindPages('deploy/job', {
      of: 'gpujobs',
      list: {
        first: ['jobs.title', 'jobs.lead'],
        load: pageOf(() => import('./job/job-list-page.tsx'), 'JobListPage'),
      },
      create: {
        first: ['job.createTitle', 'job.createLead'],
        load: pageOf(() => import('./job/job-pages.ts'), 'JobCreatePage'),
      },
      one: pageOf(() => import('./job/job-page.tsx'), 'JobPage'),
      edit: pageOf(() => import('./job/job-pages.ts'), 'JobEditPage'),
    }),
    ...kindPages('deploy/service', {
      of: 'containerservices',
      list: {
        first: ['services.title', 'services.lead'],
        load: pageOf(() => import('./container-service/service-list-page.tsx'), 'ServiceListPage'),
      },
      create: {
        first: ['service.createTitle', 'service.createLead'],
        load: pageOf(() => import('./container-service/service-pages.ts'), 'ServiceCreatePage'),
      },
      one: pageOf(() => import('./container-service/service-page.tsx'), 'ServicePage'),
      edit: pageOf(() => import('./container-service/service-pages.ts'), 'ServiceEditPage'),
    }),
  ],
};
