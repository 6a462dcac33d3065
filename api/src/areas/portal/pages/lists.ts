// What search engines and programs read instead of pages: robots.txt, the sitemap, llms.txt and the feed of articles.
import { factsOf, PAGES, type PageName, pathOf } from '@gantry/contract/areas/portal/pages.ts';
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';

/** A page that is about one object. */
export interface ListedObject {
  /** Of something that stands on the page of others: where on it. */
  readonly fragment?: string;
  readonly name: PageName;
  readonly params: Readonly<Record<string, string>>;
  readonly title: string;
  /** What a feed says of it. */
  readonly text?: string | undefined;
  /** RFC 3339, where it is known. */
  readonly changedAt?: string | undefined;
}

const HREFLANGS: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN', ja: 'ja' };

/** Of what a list is: the portal's origin, and the installation's name. */
export interface Listing {
  readonly portal: string;
  readonly name: string;
}

export const robotsText = ({ portal }: Listing): string =>
  `User-agent: *\nAllow: /\nDisallow: /api/\nDisallow: /*?\nDisallow: /*/preview/\n\nSitemap: ${portal}/sitemap.xml\n`;

/** Pages without parameters. */
const pagesAlone = (Object.keys(PAGES) as PageName[]).filter(
  (name) => !PAGES[name].path.includes('{') && !factsOf(name).isUnlisted,
);

/** Search engines read at most so many addresses of a file. */
const MOST_ADDRESSES = 50_000;

export function sitemapText({ portal }: Listing, objects: readonly ListedObject[]): string {
  const pages: readonly Omit<ListedObject, 'title'>[] = [
    ...pagesAlone.map((name) => ({ name, params: {} })),
    ...objects.slice(0, Math.floor(MOST_ADDRESSES / LANGUAGES.length) - pagesAlone.length),
  ];
  const urls = pages.flatMap(({ name, params, changedAt }) => {
    const at = (language: Language) => escaped(`${portal}${pathOf({ name, language, params })}`);
    const others = [...LANGUAGES.map((language) => [HREFLANGS[language], at(language)]), ['x-default', at('en')]].map(
      ([hreflang, href]) => `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${href}"/>`,
    );
    const changed = changedAt === undefined ? '' : `<lastmod>${escaped(changedAt)}</lastmod>`;
    return LANGUAGES.map((language) => `<url><loc>${at(language)}</loc>${changed}${others.join('')}</url>`);
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('\n')}
</urlset>
`;
}

/** llmstxt.org: what the site is, and its pages as Markdown. */
export function llmsText({ portal, name: site }: Listing, objects: readonly ListedObject[]): string {
  const link = (title: string, path: string) => `- [${title.replace(/[[\]\n]/g, ' ')}](${portal}${path}.md)`;
  const language = 'en';
  return `# ${site.replace(/\n/g, ' ')}

> A GPU cloud and large-model platform: instances with GPUs by the hour, model serving at an OpenAI-compatible address, data processing, metrics and metered billing.

## Pages

${pagesAlone.map((name) => link(name, pathOf({ name, language }))).join('\n')}

## Contents

${objects.map(({ name, params, title }) => link(title, pathOf({ name, language, params }))).join('\n')}

## API

- [OpenAPI document](${portal}/api/openapi.json)
`;
}

/** The newest first. */
export function feedText(
  { portal, name: site }: Listing,
  { language, path, page }: { language: Language; path: string; page: PageName },
  objects: readonly ListedObject[],
): string {
  const newest = objects.toSorted((a, b) => Date.parse(b.changedAt ?? '') - Date.parse(a.changedAt ?? '') || 0);
  const items = newest.map(({ name, params, title, text, changedAt, fragment }) => {
    const behind = fragment === undefined ? '' : `#${encodeURIComponent(fragment)}`;
    const at = escaped(`${portal}${pathOf({ name, language, params })}${behind}`);
    const date = changedAt ? `<pubDate>${new Date(changedAt).toUTCString()}</pubDate>` : '';
    const words = text === undefined ? '' : `<description>${escaped(text)}</description>`;
    return `<item><title>${escaped(title)}</title>${words}<link>${at}</link><guid>${at}</guid>${date}</item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${escaped(site)}</title><link>${escaped(portal)}${pathOf({ name: page, language })}</link><description>${escaped(site)}</description><language>${HREFLANGS[language]}</language>
<atom:link href="${escaped(portal)}${path}" rel="self" type="application/rss+xml"/>
${items.join('\n')}
</channel></rss>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
