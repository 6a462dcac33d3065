// Beacons.
import type { Area } from '../../area.ts';

export const beaconArea: Area = {
  name: 'beacon',
  pages: [
    {
      path: '/model/space',
      menu: 'model/space',
      load: () => import('./beacon-list-page.tsx').then(({ BeaconListPage }) => ({ Page: BeaconListPage })),
    },
    {
      path: '/model/space/:id/:tab?',
      menu: 'model/space',
      load: () => import('./beacon-page.tsx').then(({ BeaconPage }) => ({ Page: BeaconPage })),
    },
  ],
};
