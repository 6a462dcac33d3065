// The portal's requests: which page an address is, in which language, and what goes out. It renders nothing itself and knows no page.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Brand,
  type FaultName,
  type PageAddress,
  type PageInput,
  type PageName,
  pageAt,
  pageWithoutLanguage,
  pathOf,
  type RenderedPage,
  type Site,
} from '@gantry/contract/areas/portal/pages.ts';
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import sirv from 'sirv';
import { languageOf } from '../../../platform/http/language-of.ts';
import type { Preview } from '../previews.ts';
import { KeptPages, type Source } from './kept-pages.ts';
import { feedText, type ListedObject, type Listing, llmsText, robotsText, sitemapText } from './lists.ts';
import type { PageReader } from './page-data.ts';
import { NO_PAGE, policyOf } from './policy.ts';
import { sizeOf, type Written, write, writeLogo, written } from './written.ts';

export interface PortalParts {
  /** Of the build: what browsers load. */
  readonly clientDir: string;
  readonly site: Site;
  /** As it is now. */
  readonly brand: () => Branded;
  readonly clock: Clock;
  readonly read: PageReader['page'];
  /** What staff asked to see before it is published; undefined: nothing, for whoever has no such ticket. */
  readonly preview: (ticket: string, language: Language) => Promise<Preview | undefined>;
  /** Of a page whose object is not there: whether it was once. */
  readonly isGone: (address: PageAddress) => Promise<boolean>;
  /** A page that is there was asked for by a browser. */
  readonly seen: (address: PageAddress) => void;
  readonly render: (input: PageInput) => Promise<RenderedPage>;
  /** The objects that have pages of their own. */
  readonly listed: (language: Language) => Promise<readonly ListedObject[]>;
  /** Articles and announcements. */
  readonly news: (language: Language) => Promise<readonly ListedObject[]>;
  readonly incidents: (language: Language) => Promise<readonly ListedObject[]>;
  readonly onFault: (address: string, error: unknown) => void;
}

/** With the bytes of its logo, where that is the installation's own. */
export interface Branded {
  readonly brand: Brand;
  readonly logo: Buffer | undefined;
}

/** A page, and the same as Markdown. */
interface Both {
  readonly html: Written;
  readonly markdown: Written;
}

/** Left to the gateway's other answers. */
const NOT_OURS = /^\/(api|healthz|readyz|version\.json|metrics|v1)(\/|$)/;
const LONGEST_PATH = 1_000;
const LONGEST_QUERY = 4_000;
const MOST_ASKED_BYTES = 16 * 1024 * 1024;
const RETRY_SECONDS = '5';
const MARKDOWN = '.md';
const PREVIEW = /^\/(en|zh|ja)\/preview\/([\w.-]+)$/;

/** Answers a request, or says that it is not the portal's. */
export function servePortal(parts: PortalParts): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { clientDir, site, brand: branded, clock, read, render, onFault } = parts;
  const files = sirv(clientDir, {
    etag: true,
    brotli: true,
    gzip: true,
    setHeaders(res, pathname) {
      const isHashed = pathname.startsWith('/assets/');
      res.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
      res.setHeader('X-Content-Type-Options', 'nosniff');
    },
  });
  const pages = new KeptPages<Both>({
    ...{ clock, onFault },
    bytesOf: ({ html, markdown }) => sizeOf(html) + sizeOf(markdown),
  });
  // Anybody can make up questions: their pages do not drive out the others.
  const asked = new KeptPages<Both>({
    ...{ clock, onFault, mostBytes: MOST_ASKED_BYTES },
    bytesOf: ({ html, markdown }) => sizeOf(html) + sizeOf(markdown),
  });
  const texts = new KeptPages<Written>({ clock, onFault, bytesOf: sizeOf });

  const rendered = async (input: PageInput, status: number): Promise<Both> => {
    const { html, markdown, inlineScripts, inlineStyles } = await render(input);
    const policy = policyOf({ scripts: inlineScripts, styles: inlineStyles });
    return {
      html: await written(html, { status, type: 'text/html', policy }),
      markdown: await written(markdown, { status, type: 'text/markdown', policy: NO_PAGE }),
    };
  };
  const missing = (language: Language, name: FaultName = 'notFound'): Promise<Both> => {
    const { brand } = branded();
    const input: PageInput = { name, language, params: {}, query: {}, data: {}, site, brand };
    const status = name === 'gone' ? 410 : 404;
    const key = keyOf(`/${language}/ ${name}`, brand);
    return pages.page(key, async () => ({ digest: '', make: () => rendered(input, status) }));
  };
  const source = async (address: PageAddress, brand: Brand): Promise<Source<Both>> => {
    const data = await read(address);
    if (data === undefined) {
      const fault = (await parts.isGone(address)) ? 'gone' : 'notFound';
      return { digest: fault, make: () => missing(address.language, fault) };
    }
    return { digest: digestOf(data), make: () => rendered({ ...address, data, site, brand }, 200) };
  };
  /** Never kept, here or elsewhere. */
  const previewed = async (language: Language, ticket: string): Promise<Written> => {
    const found = await parts.preview(ticket, language);
    if (!found) return (await missing(language)).html;
    const { brand } = branded();
    const { html } = await rendered({ ...found, language, query: {}, site, brand }, 200);
    return { ...html, headers: { ...html.headers, 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' } };
  };
  const list = async (path: string, brand: Brand): Promise<Written | undefined> => {
    const row = LISTS[path];
    return (
      row &&
      texts.page(keyOf(path, brand), async () => {
        const text = row.text({ portal: site.portal, name: brand.name }, await parts[row.of](row.language));
        return { digest: digestOf(text), make: () => written(text, { type: row.type, policy: NO_PAGE }) };
      })
    );
  };

  const beside = (path: string, brand: Brand): Promise<Written | undefined> => {
    const [, language, ticket] = PREVIEW.exec(path) ?? [];
    return ticket === undefined ? list(path, brand) : previewed(language as Language, ticket);
  };

  const pageOf = (address: PageAddress, brand: Brand): Promise<Both> => {
    const kept = Object.keys(address.query).length === 0 ? pages : asked;
    return kept.page(keyOf(pathOf(address), brand), () => source(address, brand));
  };
  const answer = async (req: IncomingMessage, res: ServerResponse, path: string): Promise<void> => {
    const { brand } = branded();
    const isMarkdown = path.endsWith(MARKDOWN);
    const plain = isMarkdown ? path.slice(0, -MARKDOWN.length) : path;
    const search = queryOf(req);
    const address = pageAt(plain, search.length > LONGEST_QUERY ? '' : search);
    if (address) {
      const { html, markdown } = await pageOf(address, brand);
      if (isView(req, html, isMarkdown)) parts.seen(address);
      return write(req, res, isMarkdown ? markdown : html);
    }
    const text = await beside(path, brand);
    if (text) return write(req, res, text);
    const wanted = elsewhere(plain, req);
    if (wanted !== undefined) return redirect(res, `${wanted}${isMarkdown ? MARKDOWN : ''}${search}`);
    write(req, res, (await missing(languageIn(path) ?? wantedLanguage(req))).html);
  };

  return (req, res) => {
    const [path = '/'] = (req.url ?? '/').split('?');
    if (NOT_OURS.test(path)) return false;
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { allow: 'GET, HEAD', 'content-length': '0' }).end();
      return true;
    }
    const { brand, logo } = branded();
    if (logo && path === brand.logo) {
      writeLogo(req, res, logo);
      return true;
    }
    const next = () => {
      answer(req, res, path.length > LONGEST_PATH ? '' : path).catch((error: unknown) => {
        onFault(path, error);
        if (res.headersSent) res.destroy();
        else
          res
            .writeHead(503, { 'retry-after': RETRY_SECONDS, 'cache-control': 'no-store', 'content-length': '0' })
            .end();
      });
    };
    // Pages are not files: looking for one would touch the disk with each request.
    if (/\.\w+$/.test(path) && !path.endsWith(MARKDOWN)) files(req, res, next);
    else next();
    return true;
  };
}

interface List {
  readonly of: 'listed' | 'news' | 'incidents';
  readonly type: string;
  readonly language: Language;
  readonly text: (of: Listing, objects: readonly ListedObject[]) => string;
}

const feed = (at: { language: Language; path: string; page: PageName }, of: List['of']): [string, List] => [
  at.path,
  {
    ...{ of, type: 'application/rss+xml', language: at.language },
    text: (listing, objects) => feedText(listing, at, objects),
  },
];

const LISTS: Readonly<Record<string, List>> = {
  '/robots.txt': { of: 'listed', type: 'text/plain', language: 'en', text: robotsText },
  '/sitemap.xml': { of: 'listed', type: 'application/xml', language: 'en', text: sitemapText },
  '/llms.txt': { of: 'listed', type: 'text/plain', language: 'en', text: llmsText },
  ...Object.fromEntries(
    LANGUAGES.flatMap((language) => [
      feed({ language, path: `/${language}/feed.xml`, page: 'home' }, 'news'),
      feed({ language, path: `/${language}/status.xml`, page: 'status' }, 'incidents'),
    ]),
  ),
};

/** Of an address as it is shown now: a change of the brand counts at once, as it needs no data. */
const keyOf = (path: string, brand: Brand): string => `${path} ${JSON.stringify(brand)}`;

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

const languageIn = (path: string): Language | undefined =>
  LANGUAGES.find((language) => language === path.split('/')[1]);

/** The one that was chosen here before, else the browser's. */
function wantedLanguage({ headers }: IncomingMessage): Language {
  const chosen = /(?:^|;\s*)gantry_language=(\w+)/.exec(headers.cookie ?? '')?.[1];
  return LANGUAGES.find((language) => language === chosen) ?? languageOf(headers['accept-language']);
}

/** The page that an address without a language, or with a slash too many, means. */
function elsewhere(path: string, req: IncomingMessage): string | undefined {
  const slim = path.replace(/\/+$/, '');
  if (slim === '') return `/${wantedLanguage(req)}/home`;
  if (LANGUAGES.some((language) => slim === `/${language}`)) return `${slim}/home`;
  if (slim !== path && pageAt(slim)) return slim;
  return pageWithoutLanguage(slim) ? `/${wantedLanguage(req)}${slim}` : undefined;
}

/** Neither programs that ask for Markdown nor those that ask for headers look at a page. */
const isView = ({ method }: IncomingMessage, { status }: Written, isMarkdown: boolean): boolean =>
  !isMarkdown && status === 200 && method === 'GET';

const queryOf = ({ url = '' }: IncomingMessage): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

function redirect(res: ServerResponse, location: string): void {
  res
    .writeHead(302, {
      ...{ location, 'content-length': '0', 'cache-control': 'private, no-store' },
      vary: 'Accept-Language, Cookie',
    })
    .end();
}
