// Every page of the operators' console, from the contract's own tables: a new resource is covered automatically.
import { ADMIN_TABLES } from '@gantry/contract/http/admin-tables.ts';
import { ADMIN_MENUS } from '@gantry/contract/roles.ts';
import type { HttpClient } from '../support/http-client.ts';

const MENU_PAGES = '../../admin/src/menu-pages.ts';

/** The first page, each menu, each list, and the page of each list's first row. Rejects where a list does not answer. */
export async function adminPages(administrator: HttpClient): Promise<string[]> {
  // By a path that the compiler does not follow: pages are compiled for browsers.
  const { MENU_PAGES: ofMenus } = (await import(MENU_PAGES)) as {
    MENU_PAGES: Readonly<Record<string, readonly { name: string }[]>>;
  };
  const rows = await Promise.all(
    Object.entries(ADMIN_TABLES).map(async ([name, { menu }]) => {
      const path = `/manage/${menu}/${name}`;
      const answer = await administrator.fetch(`/api/admin/${name}?range=[0,0]`);
      if (!answer.ok) throw new Error(`the list of ${name} answered ${answer.status}`);
      const [first] = (await answer.json()) as { id: string | number }[];
      return first === undefined ? [path] : [path, `${path}/${encodeURIComponent(first.id)}/show`];
    }),
  );
  return [
    '/home',
    ...ADMIN_MENUS.map((menu) => `/manage/${menu}`),
    ...Object.entries(ofMenus).flatMap(([menu, pages]) => pages.map(({ name }) => `/manage/${menu}/${name}`)),
    ...rows.flat(),
  ];
}
