// Where a page's file is: `helpCenter` in `pages/help-center.tsx`.
import type { PageName } from '@gantry/contract/areas/portal/pages.ts';

/** From the app's folder. */
export const sourceOf = (name: PageName): string =>
  `src/pages/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.tsx`;
