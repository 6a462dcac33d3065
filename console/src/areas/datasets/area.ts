// Datasets: the organisation's data space and the platform's library.
import type { Area } from '../../area.ts';
import { pageOf } from '../../parts/area-pages.ts';

export const datasetArea: Area = {
  name: 'datasets',
  words: ['files'],
  menus: () => import('./menus.ts'),
  pages: [
    {
      path: '/data/space',
      menu: 'data/space',
      first: ['title', 'lead'],
      load: pageOf(() => import('./dataset-list-pages.tsx'), 'SpacePage'),
    },
    {
      path: '/data/space/library',
      menu: 'data/space',
      first: ['title', 'lead'],
      load: pageOf(() => import('./dataset-list-pages.tsx'), 'LibraryPage'),
    },
    {
      path: '/data/space/:id/:tab?',
      menu: 'data/space',
      load: pageOf(() => import('./dataset-page.tsx'), 'DatasetPage'),
    },
  ],
};
