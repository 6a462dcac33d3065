// A page within everything that pages stand in: the same tree on the server and in the browser.
import { CacheProvider, type EmotionCache } from '@emotion/react';
import type { PageInput } from '@gantry/contract/areas/portal/pages.ts';
import { WordsProvider } from '@gantry/ui/i18n/use-words.tsx';
import type { Words } from '@gantry/ui/i18n/words.ts';
import { appTheme } from '@gantry/ui/theme/theme.ts';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import type { AnyPage, Shown } from './page-module.ts';
import { Frame } from './shell/frame.tsx';
import { NotFound } from './shell/not-found.tsx';

const THEME = appTheme();

interface Parts {
  readonly input: PageInput;
  /** Undefined for the page of a fault. */
  readonly page: AnyPage | undefined;
  readonly words: Words;
  readonly cache: EmotionCache;
}

export const App = ({ input, page, words, cache }: Parts) => (
  <CacheProvider value={cache}>
    <ThemeProvider theme={THEME} defaultMode="system">
      <CssBaseline enableColorScheme />
      <WordsProvider words={words}>
        <Frame input={input}>
          {page ? <page.Page {...(input as unknown as Shown<never>)} /> : <NotFound {...input} />}
        </Frame>
      </WordsProvider>
    </ThemeProvider>
  </CacheProvider>
);
