// Beacons.
import type { Area } from '../../area.ts';

export const beaconArea: Area = {
  name: 'beacon',
  menus: () => import('./menus.ts'),
  pages: [
    {
      path: '/develop/beacon',
      menu: 'develop/beacon',
      load: () => import('./beacon-list-page.tsx').then(({ BeaconListPage }) => ({ Page: BeaconListPage })),
    },
    {
      path: '/develop/beacon/:id/:tab?',
      menu: 'develop/beacon',
      of: 'beacons',
      load: () => import('./beacon-page.tsx').then(({ BeaconPage }) => ({ Page: BeaconPage })),
    },
  ],
};
