// Beacons.
import type { Area } from '../../area.ts';

export const beaconArea: Area = {
  name: 'beacon',
  pages: [
    {
      path: '/model/evaluation',
      menu: 'model/evaluation',
      load: () => import('./beacon-list-page.tsx').then(({ BeaconListPage }) => ({ Page: BeaconListPage })),
    },
    {
      path: '/model/evaluation/:id/:tab?',
      menu: 'model/evaluation',
      load: () => import('./beacon-page.tsx').then(({ BeaconPage }) => ({ Page: BeaconPage })),
    },
  ],
};
