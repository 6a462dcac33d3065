// An area of the console: pages that share words. A row here is all that a page needs to be found.
import type { Words } from '@gantry/contract/define-kind.ts';
import type { Call } from '@gantry/contract/http/call.ts';
import type { KINDS } from '@gantry/contract/kinds.ts';
import type { MENUS } from '@gantry/contract/roles.ts';
import type { ComponentType } from 'react';

export type MenuName = keyof typeof MENUS | NonNullable<(typeof KINDS)[keyof typeof KINDS]['menu']>;

export interface PageRow {
  /** `/develop/instance/:id` */
  path: string;
  /**
   * The permission node that opens it, and its entry in the sidebar, or the entry it is shown under; undefined: open to everybody
   * logged in.
   */
  menu?: MenuName;
  /** The plural name of the kind whose objects it shows, each at `:id`. */
  of?: string;
  /** `open`: for everybody, without the frame. `bare`: signed in, without the frame. Else inside the frame. */
  frame?: 'open' | 'bare';
  /** Keys of its area's words: a title, then sentences. The document shows them until the page has loaded. */
  first?: readonly string[];
  load: () => Promise<{ Page: ComponentType }>;
  /** Reads without input that it begins with: requested before its script has arrived. */
  ahead?: readonly Call[];
}

/** An entry of the sidebar: its picture, which stands alone where the sidebar is narrow, and what it is called. */
export interface MenuRow {
  readonly icon: ComponentType<{ fontSize?: 'small' }>;
  readonly name: Words;
}
export type AreaMenus = Readonly<Partial<Record<MenuName, MenuRow>>>;

export interface Area {
  /** The folder's name, also the key of its words. */
  name: string;
  /** Its entries in the sidebar: for pages whose path is a menu. The frame loads them. */
  menus?: () => Promise<{ menus: AreaMenus }>;
  /** Folders of `parts` whose words it shows too. */
  words?: readonly string[];
  pages: readonly PageRow[];
}
