// The portal's pages: their addresses, and the public calls whose answers each of them shows. The gateway reads the data by these rows,
// and the portal renders it; neither has a schema here, because browsers load this file.
import { LANGUAGES, type Language } from '../../fields/language.ts';
import type { Call, OutputOf } from '../../http/call.ts';
import type { CALLS } from '../../http/calls.ts';

type CallName = keyof typeof CALLS;

interface PageFacts {
  /** After the language, with `{name}` for parameters, which its calls have too. */
  readonly path: string;
  /** The call whose object the page is about: where that is not found, neither is the page. */
  readonly about?: CallName;
  /** Other calls; where one fails, the page says so in its place. */
  readonly reads?: readonly CallName[];
  /** Which of them is asked by the address's query, and by which names of it. */
  readonly asked?: { readonly call: CallName; readonly by: readonly string[] };
  /** The tab of the header that is chosen there. */
  readonly tab?: PageName;
  /** Left out of the sitemap. */
  readonly isUnlisted?: true;
}

export type PageName =
  | ('home' | 'computingCenter' | 'modelLibrary' | 'dataset' | 'helpCenter' | 'about' | 'overviewPage')
  | ('contact' | 'terms' | 'privacy' | 'status')
  | ('computing' | 'model' | 'datasetDetail' | 'article' | 'apiReference' | 'apiArea');

const page = <const F extends PageFacts>(facts: F): F => facts;

export const PAGES = {
  home: page({ path: '/home', reads: ['readOverview', 'getSettings', 'listArticles'] }),
  computingCenter: page({ path: '/computingCenter', reads: ['listMarket'] }),
  computing: page({ path: '/computingCenter/{id}', about: 'readMarketModel', tab: 'computingCenter' }),
  modelLibrary: page({
    path: '/modelLibrary',
    reads: ['listPortalModels'],
    asked: {
      call: 'listPortalModels',
      by: ['search', 'task', 'size_class', 'license', 'language', 'structure', 'order_by', 'cursor'],
    },
  }),
  model: page({ path: '/model/{id}', about: 'readPortalModel', tab: 'modelLibrary' }),
  dataset: page({
    path: '/dataset',
    reads: ['listPortalDatasets'],
    asked: {
      call: 'listPortalDatasets',
      by: ['search', 'type', 'format', 'license', 'language', 'order_by', 'cursor'],
    },
  }),
  datasetDetail: page({
    path: '/dataset/{id}',
    about: 'readPortalDataset',
    reads: ['readPortalDatasetRows', 'readPortalDatasetCroissant'],
    tab: 'dataset',
  }),
  helpCenter: page({ path: '/helpCenter', reads: ['listArticles'], asked: { call: 'listArticles', by: ['q'] } }),
  article: page({ path: '/helpCenter/{slug}', about: 'readArticle', tab: 'helpCenter' }),
  apiReference: page({ path: '/apiReference', reads: ['listApiAreas'], tab: 'helpCenter' }),
  apiArea: page({ path: '/apiReference/{area}', about: 'readApiArea', tab: 'helpCenter' }),
  about: page({ path: '/about', reads: ['readAbout', 'getSettings'] }),
  contact: page({ path: '/contact', reads: ['readContact', 'getSettings'] }),
  terms: page({ path: '/terms', reads: ['readTerms'] }),
  privacy: page({ path: '/privacy', reads: ['readPrivacy'] }),
  status: page({ path: '/status', reads: ['readStatus'] }),
  overviewPage: page({ path: '/overviewPage', reads: ['readOverview', 'listMarket'], isUnlisted: true }),
} as const satisfies Readonly<Record<PageName, PageFacts>>;

/** For any page, whatever it reads. */
export const factsOf = (name: PageName): PageFacts => PAGES[name];

type AnswerOf<N extends CallName> = (typeof CALLS)[N] extends Call<infer F> ? OutputOf<F> : never;
type Subject<N extends PageName> = (typeof PAGES)[N] extends { about: infer A extends CallName } ? A : never;
type Others<N extends PageName> = (typeof PAGES)[N] extends { reads: readonly (infer R extends CallName)[] }
  ? R
  : never;

/** The answers that a page shows, by the name of their call; null where the call failed. */
export type PageData<N extends PageName> = { readonly [A in Subject<N>]: AnswerOf<A> } & {
  readonly [R in Others<N>]: AnswerOf<R> | null;
};

/** Pages that no address has: nothing is there, or it was taken off. */
export type FaultName = 'notFound' | 'gone';
export const isFault = (name: PageName | FaultName): name is FaultName => name === 'notFound' || name === 'gone';

/** Where the web apps of the installation are: origins without a slash at the end. */
export interface Site {
  readonly portal: string;
  readonly console: string;
}

/** How the installation presents itself, as staff set it. */
export interface Brand {
  readonly name: string;
  /** A path of the portal's. */
  readonly logo: string;
  /** `#rrggbb`; empty for the portal's own. */
  readonly accent: string;
  readonly footer: string;
  readonly legalNumber: string;
  readonly market: 'domestic' | 'overseas';
}

export type PageQuery = Readonly<Record<string, string>>;

/** What a page is rendered from, by the gateway and once more in the browser. `data` is a PageData, or {} for a fault. */
export interface PageInput {
  readonly name: PageName | FaultName;
  readonly language: Language;
  readonly params: Readonly<Record<string, string>>;
  /** What of the address's query the page is asked by. */
  readonly query: PageQuery;
  readonly data: Readonly<Record<string, unknown>>;
  readonly site: Site;
  readonly brand: Brand;
}

/** What the portal's server side makes of it. Inline texts are listed so that a policy can allow them by their hashes. */
export interface RenderedPage {
  readonly html: string;
  readonly markdown: string;
  readonly inlineScripts: readonly string[];
  readonly inlineStyles: readonly string[];
}

/** A page in a language, as an address names it. */
export interface PageAddress {
  readonly name: PageName;
  readonly language: Language;
  readonly params: Readonly<Record<string, string>>;
  readonly query: PageQuery;
}

/** `/en/helpCenter/ssh`, without the origin; with `?q=…` where it has a query. */
export function pathOf({
  name,
  language,
  params = {},
  query = {},
}: Pick<PageAddress, 'name' | 'language'> & Partial<PageAddress>): string {
  const path = PAGES[name].path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
  const asked = new URLSearchParams(query);
  return `/${language}${path}${asked.size === 0 ? '' : `?${asked}`}`;
}

/** In the order of the page's row, so that an address in another order is the same page. Other names, and empty ones, are no part of it. */
function queryIn(name: PageName, search: string): PageQuery {
  const given = new URLSearchParams(search);
  return Object.fromEntries(
    (factsOf(name).asked?.by ?? []).flatMap((key) => {
      const value = given.get(key)?.trim() ?? '';
      return value === '' || value.length > MOST_ASKED ? [] : [[key, value]];
    }),
  );
}

/** A cursor is the longest. */
const MOST_ASKED = 300;

const isLanguage = (text: string | undefined): text is Language => LANGUAGES.some((language) => language === text);

/** Undefined where no page has the path, which starts with its language. `search` is behind the question mark. */
export function pageAt(path: string, search = ''): PageAddress | undefined {
  const [, language, ...parts] = path.split('/');
  if (!isLanguage(language)) return undefined;
  for (const name of Object.keys(PAGES) as PageName[]) {
    const params = matched(PAGES[name].path, parts);
    if (params) return { name, language, params, query: queryIn(name, search) };
  }
  return undefined;
}

/** The same without a language: `/home`. */
export const pageWithoutLanguage = (path: string): boolean => pageAt(`/en${path}`) !== undefined;

function matched(pattern: string, parts: readonly string[]): Record<string, string> | undefined {
  const wanted = pattern.slice(1).split('/');
  if (wanted.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const given = parts[index] ?? '';
    const key = /^\{(\w+)\}$/.exec(part)?.[1];
    if (key === undefined) {
      if (given !== part) return undefined;
      continue;
    }
    const value = decoded(given);
    if (value === undefined || value === '' || value.length > MOST_PARAM) return undefined;
    params[key] = value;
  }
  return params;
}

/** Longer than any id or slug. */
const MOST_PARAM = 200;

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
