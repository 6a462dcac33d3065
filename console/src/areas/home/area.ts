// The start page: what runs, what it costs, and the shortest way to start something.
import type { Area } from '../../area.ts';
import { pageOf } from '../../parts/area-pages.ts';

export const homeArea: Area = {
  name: 'home',
  menus: () => import('./menus.ts'),
  pages: [{ path: '/home', menu: 'home', load: pageOf(() => import('./home-page.tsx'), 'HomePage') }],
};
