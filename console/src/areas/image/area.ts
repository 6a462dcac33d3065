// Images that instances start from.
import type { Area } from '../../area.ts';
import { kindPages, pageOf } from '../../parts/area-pages.ts';

export const imageArea: Area = {
  name: 'image',
  menus: () => import('./menus.ts'),
  pages: [
    ...kindPages('develop/template', {
      of: 'images',
      list: { first: ['title', 'lead'], load: pageOf(() => import('./image-list-page.tsx'), 'ImageListPage') },
      one: pageOf(() => import('./image-page.tsx'), 'ImagePage'),
    }),
  ],
};
