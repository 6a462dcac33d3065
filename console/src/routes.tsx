// Areas as routes: a page's script and its words load together, on the first visit.
import type { Words } from '@gantry/ui/i18n/words.ts';
import { PageFailed } from '@gantry/ui/widgets/page-failed.tsx';
import { createBrowserRouter, type RouteObject, redirect } from 'react-router';
import type { Area, PageRow } from './area.ts';
import { loadWordsOf } from './load-words.ts';
import { Guard, type GuardParts } from './shell/guard.ts';
import { Loading } from './shell/loading.tsx';
import { loadMenuRows } from './shell/menu-rows.ts';
import { NotFound } from './shell/not-found.tsx';
import { Root } from './shell/root.tsx';

function routesOf(areas: readonly Area[], words: Words, parts: GuardParts): RouteObject[] {
  const guard = new Guard(parts);
  const rows = areas.flatMap((area) => area.pages.map((page) => ({ area, page })));
  const route = ({ area, page }: (typeof rows)[number]): RouteObject => ({
    path: page.path,
    ...(page.frame !== 'open' && { loader: guard.loader(page.menu) }),
    handle: page satisfies PageRow,
    lazy: async () => {
      const [{ Page }] = await Promise.all([page.load(), loadWordsOf(words, area)]);
      return { Component: Page };
    },
  });
  const shownIn = (frame: PageRow['frame']) => rows.filter(({ page }) => page.frame === frame).map(route);
  return [
    {
      element: <Root pages={rows.map(({ page }) => page)} />,
      ErrorBoundary: PageFailed,
      children: [
        ...shownIn('open'),
        {
          lazy: async () => ({ Component: (await import('./shell/signed-in.tsx')).SignedIn }),
          children: [
            ...shownIn('bare'),
            {
              lazy: async () => {
                const [{ Shell }, menus] = await Promise.all([import('./shell/shell.tsx'), loadMenuRows(areas)]);
                return { Component: () => <Shell menus={menus} /> };
              },
              // A page that fails leaves the frame standing.
              children: [{ ErrorBoundary: PageFailed, children: shownIn(undefined) }],
            },
          ],
        },
        { path: '/', loader: () => redirect('/home'), Component: Loading },
        { path: '/404', Component: NotFound },
        { path: '*', loader: () => redirect('/404'), Component: Loading },
      ],
    },
  ];
}

export const consoleRouter = (areas: readonly Area[], words: Words, parts: GuardParts) =>
  createBrowserRouter(routesOf(areas, words, parts));
