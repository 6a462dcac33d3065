// Deployments of models: the list, one, and the form of a new or changed one.
import type { Area } from '../../area.ts';
import { kindPages, pageOf } from '../../parts/area-pages.ts';

export const deploymentArea: Area = {
  name: 'model-deployments',
  menus: () => import('./menus.ts'),
  words: ['workload', 'metrics'],
  pages: [
    ...kindPages('model/deployment', {
      of: 'modeldeployments',
      list: {
        first: ['title', 'lead'],
        load: pageOf(() => import('./deployment-list-page.tsx'), 'DeploymentListPage'),
      },
      create: {
        first: ['form.createTitle', 'form.createLead'],
        load: pageOf(() => import('./deployment-pages.ts'), 'DeploymentCreatePage'),
      },
      one: pageOf(() => import('./deployment-page.tsx'), 'DeploymentPage'),
      edit: pageOf(() => import('./deployment-pages.ts'), 'DeploymentEditPage'),
    }),
    {
      path: '/model/collected',
      menu: 'model/deployment',
      first: ['collected.title', 'collected.pageLead'],
      load: pageOf(() => import('./collected-page.tsx'), 'CollectedPage'),
    },
  ],
};
