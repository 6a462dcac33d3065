// The first words of each page, in each language, become part of index.html: the browser shows them before any script has arrived. Measured
// (G2): without them the largest contentful paint of the instance list is five times as late.
import type { Plugin } from 'vite';
import type { Area } from './src/area.ts';

const PLACE = '<!-- first words -->';
const LANGUAGES = ['en', 'zh', 'ja'] as const;
type Phrases = { readonly [key: string]: string | Phrases };
/** By path: a title, then sentences, in each language; `isOpen` to people who are not logged in. */
export type FirstWords = Record<
  string,
  { isOpen: boolean } & Partial<Record<(typeof LANGUAGES)[number], readonly string[]>>
>;

export const firstWordsPlugin: Plugin = {
  name: 'first-words',
  async transformIndexHtml(page) {
    const { AREAS } = (await import(new URL('src/areas.ts', import.meta.url).href)) as { AREAS: readonly Area[] };
    // A `<` could end the element.
    const json = JSON.stringify(await firstWords(AREAS)).replaceAll('<', '\\u003c');
    return page.replace(PLACE, () => `<script type="application/json" id="first-words">${json}</script>`);
  },
};

/** Throws where an area lacks words that a page names. */
export async function firstWords(areas: readonly Area[]): Promise<FirstWords> {
  const all: FirstWords = {};
  for (const { name, pages } of areas) {
    for (const { path, frame, first } of pages) {
      if (!first) continue;
      const page: FirstWords[string] = { isOpen: frame === 'open' };
      for (const language of LANGUAGES) {
        const file = new URL(`src/areas/${name}/words/${language}.ts`, import.meta.url);
        const { words } = (await import(file.href)) as { words: Phrases };
        page[language] = first.map((key) => phrase(words, key));
      }
      all[path] = page;
    }
  }
  return all;
}

function phrase(words: Phrases, key: string): string {
  const found = key
    .split('.')
    .reduce<string | Phrases | undefined>((at, part) => (typeof at === 'object' ? at[part] : undefined), words);
  if (typeof found !== 'string') throw new Error(`"${key}" names no words`);
  return found;
}
