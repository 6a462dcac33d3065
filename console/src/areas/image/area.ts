// Images that instances start from.
import type { Area } from '../../area.ts';

export const imageArea: Area = {
  name: 'image',
  pages: [
    {
      path: '/develop/template',
      menu: 'develop/template',
      load: () => import('./image-list-page.tsx').then(({ ImageListPage }) => ({ Page: ImageListPage })),
    },
  ],
};
