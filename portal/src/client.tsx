// In the browser, for pages with parts that change: takes over the page that the gateway rendered.
import createCache from '@emotion/cache';
import { isFault, type PageInput } from '@gantry/contract/areas/portal/pages.ts';
import { type Phrases, Words } from '@gantry/ui/i18n/words.ts';
import { hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { enliven } from './enliven.ts';
import type { AnyPage } from './page-module.ts';
import { sourceOf } from './sources.ts';

enliven(document);
const PAGES = import.meta.glob<{ page: AnyPage }>('./pages/*.tsx');
const WORDS = import.meta.glob<{ words: Phrases }>('./words/*.ts');

const input = JSON.parse(document.getElementById('page')?.textContent ?? '') as PageInput;
const load = isFault(input.name) ? undefined : PAGES[sourceOf(input.name).replace('src', '.')];
const [loaded, phrases] = await Promise.all([load?.(), WORDS[`./words/${input.language}.ts`]?.()]);
const words = new Words(input.language);
if (phrases) words.add('portal', phrases.words);
hydrateRoot(
  document.getElementById('root') as HTMLElement,
  <App input={input} page={loaded?.page} words={words} cache={createCache({ key: 'css' })} />,
);
