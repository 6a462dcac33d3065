// The text of a whole page: its head, the rendered content, and what the browser renders it from once more.
import {
  isFault,
  type PageInput,
  type PageName,
  pathOf,
  type RenderedPage,
} from '@gantry/contract/areas/portal/pages.ts';
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import { LOCALES } from '@gantry/ui/i18n/language.ts';
import type { Head } from './page-module.ts';
import { pathIn } from './path-in.ts';

/** Vite's: the files of a build by their sources. */
export type Manifest = Readonly<Record<string, Chunk>>;
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

export interface DocumentParts {
  readonly input: PageInput;
  readonly head: Head;
  readonly content: string;
  readonly styles: readonly Style[];
  /** What the browser gets of the data; undefined where React does not take the page over. */
  readonly clientData: Readonly<Record<string, unknown>> | undefined;
  readonly files: ClientFiles;
}

/** A `<style>` as emotion takes it over. */
export interface Style {
  /** Of data-emotion. */
  readonly name: string;
  readonly css: string;
}

interface ClientFiles {
  readonly entry: string;
  /** Loaded along with the entry. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** What a page loads: the entry, and the scripts that it will ask for. */
export function clientFilesOf(manifest: Manifest, first: string, sources: readonly string[]): ClientFiles {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const add = (source: string): void => {
    const chunk = manifest[source];
    if (!chunk || scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const file of chunk.css ?? []) styles.add(file);
    for (const one of chunk.imports ?? []) add(one);
  };
  for (const source of [first, ...sources]) add(source);
  const entry = manifest[first]?.file ?? '';
  return { entry, scripts: [...scripts].filter((file) => file !== entry), styles: [...styles] };
}

/** Before the first paint, so that nothing flashes: the scheme that was chosen in one of our apps, else the system's. */
const SCHEME = `{
let mode = 'system';
try { mode = localStorage.getItem('mui-mode') ?? mode; } catch {}
const isDark = mode === 'dark' || (mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.setAttribute('data-scheme', isDark ? 'dark' : 'light');
}`;

export function documentOf(parts: DocumentParts): Omit<RenderedPage, 'markdown'> {
  const { input, head, content, styles, clientData, files } = parts;
  const html = `<!doctype html>
<html lang="${LOCALES[input.language]}" data-scheme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(head.title)}</title>
<meta name="description" content="${escaped(head.description)}">
<link rel="icon" href="${escaped(input.brand.logo)}">
${addresses(input)}
${openGraph(input, head)}
<script>${SCHEME}</script>
${styles.map(({ name, css }) => `<style data-emotion="${escaped(name)}">${css}</style>`).join('\n')}
${files.styles.map((file) => `<link rel="stylesheet" href="/${file}">`).join('\n')}
${files.scripts.map((file) => `<link rel="modulepreload" href="/${file}">`).join('\n')}
<script type="module" src="/${files.entry}"></script>
${(head.linkedData ?? []).map(linkedData).join('\n')}
</head>
<body>
<div id="root">${content}</div>
${clientData ? `<script type="application/json" id="page">${json({ ...input, data: clientData })}</script>` : ''}
</body>
</html>
`;
  return { html, inlineScripts: [SCHEME], inlineStyles: styles.map(({ css }) => css) };
}

/** The page's own address and those in other languages. A page that is not there has none, and nobody lists it. */
function addresses({ name, params, site, language }: PageInput): string {
  if (isFault(name)) return '<meta name="robots" content="noindex">';
  const at = (one: (typeof LANGUAGES)[number]) => escaped(`${site.portal}${pathIn({ name, params }, one)}`);
  const path = pathOf({ name: name as PageName, language, params });
  return [
    `<link rel="canonical" href="${at(language)}">`,
    ...LANGUAGES.map((one) => `<link rel="alternate" hreflang="${LOCALES[one]}" href="${at(one)}">`),
    `<link rel="alternate" hreflang="x-default" href="${at('en')}">`,
    `<link rel="alternate" type="text/markdown" href="${escaped(`${site.portal}${path}.md`)}">`,
  ].join('\n');
}

const OG_LOCALES = { en: 'en_GB', zh: 'zh_CN', ja: 'ja_JP' } as const;

const openGraph = (input: PageInput, { title, description }: Head): string =>
  Object.entries({
    'og:type': input.name === 'article' ? 'article' : 'website',
    'og:site_name': input.brand.name,
    'og:title': title,
    'og:description': description,
    'og:locale': OG_LOCALES[input.language],
    ...(!isFault(input.name) && {
      'og:url': `${input.site.portal}${pathIn({ name: input.name, params: input.params }, input.language)}`,
    }),
    ...pictureOf(input),
  })
    .map(([property, content]) => `<meta property="${property}" content="${escaped(content)}">`)
    .join('\n');

/** Ours has our name on it (`preview-picture.ts`): an installation with a name of its own has its logo, or no picture. */
function pictureOf({ brand: { name, logo }, site }: PageInput): Record<string, string> {
  if (logo !== OUR_LOGO) return { 'og:image': `${site.portal}${logo}`, 'og:image:alt': name };
  if (name !== OUR_NAME) return {};
  const size = { 'og:image:width': '1200', 'og:image:height': '630' };
  return { 'og:image': `${site.portal}/preview.png`, ...size, 'og:image:alt': name };
}
const [OUR_NAME, OUR_LOGO] = ['Gantry', '/favicon.svg'];

const linkedData = (object: object): string =>
  `<script type="application/ld+json">${json({ '@context': 'https://schema.org', ...object })}</script>`;

/** No text in it ends its element. */
const json = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
