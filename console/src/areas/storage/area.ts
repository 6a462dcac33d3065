// Disks, and the files on them.
import type { Area } from '../../area.ts';

export const storageArea: Area = {
  name: 'storage',
  menus: () => import('./menus.ts'),
  pages: [
    {
      path: '/gpu/storage',
      menu: 'gpu/storage',
      first: ['title', 'lead'],
      load: () => import('./disk-list-page.tsx').then(({ DiskListPage }) => ({ Page: DiskListPage })),
    },
    {
      path: '/gpu/storage/:id/:region?/:tab?',
      menu: 'gpu/storage',
      of: 'datadisks',
      load: () => import('./disk-page.tsx').then(({ DiskPage }) => ({ Page: DiskPage })),
    },
    {
      path: '/develop/file',
      menu: 'develop/file',
      load: () => import('./file-page.tsx').then(({ FilePage }) => ({ Page: FilePage })),
    },
  ],
};
