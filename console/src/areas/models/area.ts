// Models: the organisation's space and the platform's library.
import type { Area } from '../../area.ts';

export const modelArea: Area = {
  name: 'models',
  menus: () => import('./menus.ts'),
  pages: [
    {
      path: '/model/space',
      menu: 'model/space',
      first: ['title', 'lead'],
      load: () => import('./model-list-pages.tsx').then(({ SpacePage }) => ({ Page: SpacePage })),
    },
    {
      path: '/model/space/library',
      menu: 'model/space',
      first: ['title', 'lead'],
      load: () => import('./model-list-pages.tsx').then(({ LibraryPage }) => ({ Page: LibraryPage })),
    },
    {
      path: '/model/space/:id',
      menu: 'model/space',
      load: () => import('./model-page.tsx').then(({ ModelPage }) => ({ Page: ModelPage })),
    },
  ],
};
