// Models: the organisation's space and the platform's library.
import type { Area } from '../../area.ts';
import { pageOf } from '../../parts/area-pages.ts';

export const modelArea: Area = {
  name: 'models',
  words: ['files'],
  menus: () => import('./menus.ts'),
  pages: [
    {
      path: '/model/space',
      menu: 'model/space',
      first: ['title', 'lead'],
      load: pageOf(() => import('./model-list-pages.tsx'), 'SpacePage'),
    },
    {
      path: '/model/space/library',
      menu: 'model/space',
      first: ['title', 'lead'],
      load: pageOf(() => import('./model-list-pages.tsx'), 'LibraryPage'),
    },
    {
      path: '/model/space/:id/:tab?',
      menu: 'model/space',
      load: pageOf(() => import('./model-page.tsx'), 'ModelPage'),
    },
  ],
};
