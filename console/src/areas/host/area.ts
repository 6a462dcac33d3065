// Hosts: whole GPU nodes that are the organisation's alone, rented by months or its own.
import type { Area } from '../../area.ts';

export const hostArea: Area = {
  name: 'host',
  menus: () => import('./menus.ts'),
  words: ['metrics'],
  pages: [
    {
      path: '/gpu/nodes',
      menu: 'gpu/nodes',
      first: ['list.title', 'list.lead'],
      load: () => import('./host-list-page.tsx').then(({ HostListPage }) => ({ Page: HostListPage })),
    },
    {
      path: '/gpu/nodes/rent',
      menu: 'gpu/nodes',
      first: ['rent.title', 'rent.lead'],
      load: () => import('./rent-page.tsx').then(({ RentPage }) => ({ Page: RentPage })),
    },
    {
      path: '/gpu/nodes/:id/:tab?',
      menu: 'gpu/nodes',
      of: 'gpuhosts',
      load: () => import('./host-page.tsx').then(({ HostPage }) => ({ Page: HostPage })),
    },
  ],
};
