// Deployments of models: the list, one, and the form of a new or changed one.
import type { Area } from '../../area.ts';

export const deploymentArea: Area = {
  name: 'model-deployments',
  menus: () => import('./menus.ts'),
  words: ['workload', 'metrics'],
  pages: [
    {
      path: '/model/deployment',
      menu: 'model/deployment',
      first: ['title', 'lead'],
      load: () => import('./deployment-list-page.tsx').then(({ DeploymentListPage }) => ({ Page: DeploymentListPage })),
    },
    {
      path: '/model/collected',
      menu: 'model/deployment',
      first: ['collected.title', 'collected.pageLead'],
      load: () => import('./collected-page.tsx').then(({ CollectedPage }) => ({ Page: CollectedPage })),
    },
    {
      path: '/model/deployment/create',
      menu: 'model/deployment',
      first: ['form.createTitle', 'form.createLead'],
      load: () => import('./deployment-pages.ts').then(({ DeploymentCreatePage }) => ({ Page: DeploymentCreatePage })),
    },
    {
      path: '/model/deployment/:id/:tab?',
      menu: 'model/deployment',
      of: 'modeldeployments',
      load: () => import('./deployment-page.tsx').then(({ DeploymentPage }) => ({ Page: DeploymentPage })),
    },
    {
      path: '/model/deployment/:id/edit',
      menu: 'model/deployment',
      load: () => import('./deployment-pages.ts').then(({ DeploymentEditPage }) => ({ Page: DeploymentEditPage })),
    },
  ],
};
