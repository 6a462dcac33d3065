// Renders a page to the text of its document, and to Markdown.
import createCache, { type EmotionCache } from '@emotion/cache';
import {
  type FaultName,
  isFault,
  type PageInput,
  type PageName,
  type RenderedPage,
} from '@gantry/contract/areas/portal/pages.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type Phrases, Words } from '@gantry/ui/i18n/words.ts';
import { renderToString } from 'react-dom/server';
import { App } from './app.tsx';
import { clientFilesOf, documentOf, type Manifest, type Style } from './document.ts';
import type { AnyPage, Head, PortalWords, Shown } from './page-module.ts';
import { sourceOf } from './sources.ts';
import { markdownOf } from './to-markdown.ts';
import { words as english } from './words/en.ts';
import { words as japanese } from './words/ja.ts';
import { words as chinese } from './words/zh.ts';

const PHRASES: Readonly<Record<Language, Phrases>> = { en: english, zh: chinese, ja: japanese };
const WORDS = Object.fromEntries(
  Object.entries(PHRASES).map(([language, phrases]) => {
    const words = new Words(language as Language);
    words.add('portal', phrases);
    return [language, words];
  }),
) as Readonly<Record<Language, Words>>;

export function renderPage(
  input: PageInput,
  pages: Readonly<Record<PageName, AnyPage>>,
  manifest: Manifest,
): RenderedPage {
  const { name, language } = input;
  const page = isFault(name) ? undefined : pages[name];
  const words = WORDS[language];
  const t = words.of('portal') as PortalWords;
  const shown = input as unknown as Shown<never>;
  const head: Head = page?.head(t, shown) ?? faultHead(t, name as FaultName);
  const cache = createCache({ key: 'css' });
  // Styles are gathered instead of standing among the elements.
  cache.compat = true;
  const content = renderToString(<App input={input} page={page} words={words} cache={cache} />);
  const files = page?.isLive
    ? clientFilesOf(manifest, 'src/client.tsx', [sourceOf(name as PageName), `src/words/${language}.ts`])
    : clientFilesOf(manifest, 'src/still.ts', []);
  return {
    ...documentOf({
      ...{ input, content },
      head: { ...head, title: t('title', { page: head.title, name: input.brand.name }) },
      styles: stylesIn(cache),
      clientData: page?.isLive && (page.clientData?.(input.data as never) ?? input.data),
      files,
    }),
    markdown: markdownOf(content),
  };
}

const faultHead = (t: PortalWords, name: FaultName): Head => ({
  title: t(`${name}.title`),
  description: t(`${name}.line`),
});

/** All that the page uses: those of the whole document first, each by its name, then those of elements. */
function stylesIn(cache: EmotionCache): Style[] {
  const inserted = Object.entries(cache.inserted).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const isOfElements = ([name]: [string, string]) => cache.registered[`${cache.key}-${name}`] !== undefined;
  const ofElements = inserted.filter(isOfElements);
  return [
    ...inserted
      .filter((entry) => !isOfElements(entry))
      .map(([name, css]) => ({ name: `${cache.key}-global ${name}`, css })),
    {
      name: [cache.key, ...ofElements.map(([name]) => name)].join(' '),
      css: ofElements.map(([, css]) => css).join(''),
    },
  ];
}
