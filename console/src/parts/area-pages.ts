// Rows of an area: how a page's script is loaded, and the pages that a kind has at its menu.
import type { ComponentType } from 'react';
import type { MenuName, PageRow } from '../area.ts';

/** The component of that name, loaded on the first visit. */
export const pageOf =
  <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name): PageRow['load'] =>
  async () => ({ Page: (await load())[name] });

type Shown = Pick<PageRow, 'first' | 'load'>;

interface KindPages {
  /** The plural name of the kind. */
  of: string;
  list: Shown;
  create?: Shown;
  /** One object's; the plain address is that of its first tab. */
  one: PageRow['load'];
  edit?: PageRow['load'];
}

/** `/deploy/job`, `/deploy/job/create`, `/deploy/job/:id/:tab?` and `/deploy/job/:id/edit`. */
export const kindPages = (menu: MenuName, { of, list, create, one, edit }: KindPages): readonly PageRow[] => [
  { path: `/${menu}`, menu, ...list },
  ...(create ? [{ path: `/${menu}/create`, menu, ...create }] : []),
  { path: `/${menu}/:id/:tab?`, menu, of, load: one },
  ...(edit ? [{ path: `/${menu}/:id/edit`, menu, load: edit }] : []),
];
