// The start page: what runs, what it costs, and the shortest way to start something.
import type { Area } from '../../area.ts';

export const homeArea: Area = {
  name: 'home',
  menus: () => import('./menus.ts'),
  pages: [
    { path: '/home', menu: 'home', load: () => import('./home-page.tsx').then(({ HomePage }) => ({ Page: HomePage })) },
  ],
};
