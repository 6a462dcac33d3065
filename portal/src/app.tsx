// A page within everything that pages stand in: the same tree on the server and in the browser.
import { CacheProvider, type EmotionCache } from '@emotion/react';
import type { FaultName, PageInput } from '@gantry/contract/areas/portal/pages.ts';
import { WordsProvider } from '@gantry/ui/i18n/use-words.tsx';
import type { Words } from '@gantry/ui/i18n/words.ts';
import { appTheme } from '@gantry/ui/theme/theme.ts';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import type { AnyPage, Shown } from './page-module.ts';
import { shadesOf } from './shell/accent.ts';
import { Frame } from './shell/frame.tsx';
import { NotFound } from './shell/not-found.tsx';

/** Pages of one installation have one accent; making a theme takes milliseconds. */
let made: { accent: string; theme: ReturnType<typeof appTheme> } | undefined;
function themeOf(accent: string) {
  if (made?.accent !== accent) made = { accent, theme: accent === '' ? appTheme() : appTheme(shadesOf(accent)) };
  return made.theme;
}

interface Parts {
  readonly input: PageInput;
  /** Undefined for the page of a fault. */
  readonly page: AnyPage | undefined;
  readonly words: Words;
  readonly cache: EmotionCache;
}

export const App = ({ input, page, words, cache }: Parts) => (
  <CacheProvider value={cache}>
    <ThemeProvider theme={themeOf(input.brand.accent)} defaultMode="system">
      <CssBaseline enableColorScheme />
      <WordsProvider words={words}>
        <Frame input={input}>
          {page ? (
            <page.Page {...(input as unknown as Shown<never>)} />
          ) : (
            <NotFound name={input.name as FaultName} language={input.language} />
          )}
        </Frame>
      </WordsProvider>
    </ThemeProvider>
  </CacheProvider>
);
