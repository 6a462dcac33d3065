// Instances: the list, a new one, one in detail, and its edit.
import type { Area } from '../../area.ts';
import { kindPages, pageOf } from '../../parts/area-pages.ts';

export const instanceArea: Area = {
  name: 'instances',
  menus: () => import('./menus.ts'),
  words: ['workload', 'metrics'],
  pages: [
    ...kindPages('develop/instance', {
      of: 'gpuinstances',
      list: {
        first: ['list.title', 'list.lead'],
        load: pageOf(() => import('./instance-list-page.tsx'), 'InstanceListPage'),
      },
      create: {
        first: ['form.createTitle', 'form.createLead'],
        load: pageOf(() => import('./instance-create-page.tsx'), 'InstanceCreatePage'),
      },
      one: pageOf(() => import('./instance-page.tsx'), 'InstancePage'),
      edit: pageOf(() => import('./instance-edit-page.tsx'), 'InstanceEditPage'),
    }),
  ],
};
