// What a page consists of: one file of `pages/` each.
import type { PageData, PageInput, PageName } from '@gantry/contract/areas/portal/pages.ts';
import type { Translate } from '@gantry/ui/i18n/words.ts';
import type { ReactNode } from 'react';
import type { words } from './words/en.ts';

export type PortalWords = Translate<typeof words>;

export interface Head {
  readonly title: string;
  /** One or two sentences, for search engines and previews. */
  readonly description: string;
  /** schema.org objects, each without its context. */
  readonly linkedData?: readonly LinkedData[];
}

export type LinkedData = Readonly<Record<string, unknown>> & { readonly '@type': string };

export interface Shown<N extends PageName> extends Omit<PageInput, 'data' | 'name'> {
  readonly data: PageData<N>;
}

export interface PageModule<N extends PageName = PageName> {
  readonly Page: (shown: Shown<N>) => ReactNode;
  head(t: PortalWords, shown: Shown<N>): Head;
  /** Has parts that change in the browser: React takes it over. Others are loaded without React. */
  readonly isLive?: true;
  /** Of a live page: the data without what only the server renders (`Kept`); all of it where absent. */
  clientData?(data: PageData<N>): Readonly<Record<string, unknown>>;
}

/** A page whose data are those that its name says. */
export type AnyPage = PageModule<never>;
