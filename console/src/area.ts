// An area of the console: pages that share words. A row here is all that a page needs to be found.
import type { Call } from '@gantry/contract/http/call.ts';
import type { MENUS } from '@gantry/contract/roles.ts';
import type { ComponentType } from 'react';

export type MenuName = keyof typeof MENUS;

export interface PageRow {
  /** `/develop/instance/:id` */
  path: string;
  /** The permission node that opens it, and the entry of the sidebar that it is, or is shown under; absent: whoever is signed in. */
  menu?: MenuName;
  /** `open`: for everybody, without the frame. `bare`: signed in, without the frame. Else inside the frame. */
  frame?: 'open' | 'bare';
  load: () => Promise<{ Page: ComponentType }>;
  /** Reads without input that it begins with: asked for before its script has come. */
  ahead?: readonly Call[];
}

export interface Area {
  /** The folder's name, which its words go by, too. */
  name: string;
  pages: readonly PageRow[];
}
