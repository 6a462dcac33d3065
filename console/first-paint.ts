// What is seen before any script has come: the frame of a page and what it says first, in each language; the one inline script of
// index.html says which is shown. It stands where the page will have it, so that nothing moves when React takes its place.
import type { FirstWords, PageRow } from './src/area.ts';

/** As `lang` of the page has it, by the names that words go by. */
export const LANGUAGES = { en: 'en', zh: 'zh-CN', ja: 'ja' } as const;
export type Phrases = { readonly [key: string]: string | Phrases };
export type Spoken = Readonly<Record<keyof typeof LANGUAGES, Phrases>>;

const NAME = '<img src="/favicon.svg" width="28" height="28" alt="" />Gantry';
/** Tests and those who hear a page wait for what is busy. */
const before = (kind: string, content: string) => `<div class="before ${kind}" aria-busy="true">${content}</div>`;

/** Of an address that has no page of its own in the build. */
export const splash = (): string =>
  before('alone', '<img src="/favicon.svg" width="48" height="48" alt="" /><p>Gantry</p>');

/** Throws where words are missing. */
export function firstPaint({ frame, first }: Pick<PageRow, 'frame' | 'first'>, words: Spoken): string {
  if (frame === 'bare' || (frame === 'open' && !first)) return splash();
  const line = (look: string, key: string) => `<p class="${look}">${inAll(key, words)}</p>`;
  if (frame === 'open' && first) return openPage(first, line);
  const head = first ? line('title', first.title) + line('line pale', first.lead) : '';
  const framed = `<aside><div class="name">${NAME}</div></aside><header></header><main>${head}</main>`;
  // The second is for whoever has no session, and is about to be sent to sign in.
  return before('framed', framed) + splash();
}

function openPage(first: FirstWords, line: (look: string, key: string) => string): string {
  const { title, lead, below = [], beside, maxWidth } = first;
  const head = (words: Pick<FirstWords, 'title' | 'lead'>, look = 'title') =>
    `<div>${line(look, words.title)}${line('line pale', words.lead)}</div>`;
  const end = below.length > 0 ? `<div class="below">${below.map((key) => line('line', key)).join('')}</div>` : '';
  const card = `<div class="card">${head({ title, lead })}<div class="fields"></div>${end}</div>`;
  const content = beside ? `<div class="beside">${card}${head(beside, 'subtitle')}</div>` : card;
  const width = maxWidth === undefined ? '' : ` style="max-width:${maxWidth}px"`;
  return before('open', `<header class="name">${NAME}</header><main${width}>${content}</main>`);
}

function inAll(key: string, words: Spoken): string {
  return Object.entries(LANGUAGES)
    .map(([language, lang]) => `<span lang="${lang}">${escaped(said(words[language as keyof Spoken], key))}</span>`)
    .join('');
}

function said(phrases: Phrases, key: string): string {
  const found = key
    .split('.')
    .reduce<string | Phrases | undefined>((at, part) => (typeof at === 'object' ? at[part] : undefined), phrases);
  if (typeof found !== 'string') throw new Error(`there are no words "${key}" to begin a page with`);
  return found;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
