// Beacons.
import type { Area } from '../../area.ts';

export const beaconArea: Area = {
  name: 'beacon',
  pages: [
    {
      path: '/deploy/job',
      menu: 'deploy/job',
      load: () => import('./beacon-list-page.tsx').then(({ BeaconListPage }) => ({ Page: BeaconListPage })),
    },
    {
      path: '/deploy/job/:id/:tab?',
      menu: 'deploy/job',
      load: () => import('./beacon-page.tsx').then(({ BeaconPage }) => ({ Page: BeaconPage })),
    },
  ],
};
