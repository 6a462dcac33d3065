// Hosts: whole GPU nodes that are the organisation's alone, rented by months or its own.
import type { Area } from '../../area.ts';
import { pageOf } from '../../parts/area-pages.ts';

export const hostArea: Area = {
  name: 'host',
  menus: () => import('./menus.ts'),
  words: ['metrics'],
  pages: [
    {
      path: '/gpu/nodes',
      menu: 'gpu/nodes',
      first: ['list.title', 'list.lead'],
      load: pageOf(() => import('./host-list-page.tsx'), 'HostListPage'),
    },
    {
      path: '/gpu/nodes/rent',
      menu: 'gpu/nodes',
      first: ['rent.title', 'rent.lead'],
      load: pageOf(() => import('./rent-page.tsx'), 'RentPage'),
    },
    {
      path: '/gpu/nodes/:id/:tab?',
      menu: 'gpu/nodes',
      of: 'gpuhosts',
      load: pageOf(() => import('./host-page.tsx'), 'HostPage'),
    },
  ],
};
