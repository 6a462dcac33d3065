// Instances: the list, a new one, one in detail, and its edit.
import type { Area } from '../../area.ts';

export const instanceArea: Area = {
  name: 'instances',
  menus: () => import('./menus.ts'),
  words: ['workload', 'metrics'],
  pages: [
    {
      path: '/develop/instance',
      menu: 'develop/instance',
      first: ['list.title', 'list.lead'],
      load: () => import('./instance-list-page.tsx').then(({ InstanceListPage }) => ({ Page: InstanceListPage })),
    },
    {
      path: '/develop/instance/create',
      menu: 'develop/instance',
      first: ['form.createTitle', 'form.createLead'],
      load: () => import('./instance-create-page.tsx').then(({ InstanceCreatePage }) => ({ Page: InstanceCreatePage })),
    },
    {
      path: '/develop/instance/:id/:tab?',
      menu: 'develop/instance',
      of: 'gpuinstances',
      load: () => import('./instance-page.tsx').then(({ InstancePage }) => ({ Page: InstancePage })),
    },
    {
      path: '/develop/instance/:id/edit',
      menu: 'develop/instance',
      load: () => import('./instance-edit-page.tsx').then(({ InstanceEditPage }) => ({ Page: InstanceEditPage })),
    },
  ],
};
