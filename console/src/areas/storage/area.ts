// Disks, and the files on them.
import type { Area } from '../../area.ts';
import { pageOf } from '../../parts/area-pages.ts';

export const storageArea: Area = {
  name: 'storage',
  menus: () => import('./menus.ts'),
  pages: [
    {
      path: '/gpu/storage',
      menu: 'gpu/storage',
      first: ['title', 'lead'],
      load: pageOf(() => import('./disk-list-page.tsx'), 'DiskListPage'),
    },
    {
      path: '/gpu/storage/:id/:region?/:tab?',
      menu: 'gpu/storage',
      of: 'datadisks',
      load: pageOf(() => import('./disk-page.tsx'), 'DiskPage'),
    },
    {
      path: '/develop/file',
      menu: 'develop/file',
      load: pageOf(() => import('./file-page.tsx'), 'FilePage'),
    },
  ],
};
