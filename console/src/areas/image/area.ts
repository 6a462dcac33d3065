// Images that instances start from.
import type { Area } from '../../area.ts';

export const imageArea: Area = {
  name: 'image',
  menus: () => import('./menus.ts'),
  pages: [
    {
      path: '/develop/template',
      menu: 'develop/template',
      first: ['title', 'lead'],
      load: () => import('./image-list-page.tsx').then(({ ImageListPage }) => ({ Page: ImageListPage })),
    },
    {
      path: '/develop/template/:id/:tab?',
      menu: 'develop/template',
      of: 'images',
      load: () => import('./image-page.tsx').then(({ ImagePage }) => ({ Page: ImagePage })),
    },
  ],
};
