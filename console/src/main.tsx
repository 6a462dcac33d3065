// The console starts: words first, then everything that pages stand in.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { Api } from '@gantry/ui/client/api.ts';
import { ApiProvider, keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { LOCALES, readLanguage } from '@gantry/ui/i18n/language.ts';
import { WordsProvider } from '@gantry/ui/i18n/use-words.tsx';
import { Words } from '@gantry/ui/i18n/words.ts';
import { watchForMissingChunks } from '@gantry/ui/session/missing-chunk.ts';
import { readToken } from '@gantry/ui/session/session.ts';
import { AppTheme } from '@gantry/ui/theme/app-theme.tsx';
import '@gantry/ui/theme/plain.css';
import { ToastProvider } from '@gantry/ui/widgets/toast.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { AREAS } from './areas.ts';
import { loadCommonWords, loadWordsOf } from './load-words.ts';
import { consoleRouter } from './routes.tsx';
import { loginPath } from './shell/guard.ts';
import { tellDenied, tellFailed } from './shell/notices.ts';

watchForMissingChunks();

const language = readLanguage();
document.documentElement.lang = LOCALES[language];

const words = new Words(language);
// The requested page loads in parallel with the words; if it fails, its route says so.
const rows = AREAS.flatMap((area) => area.pages.map((page) => ({ area, page })));
const rowHere = () => rows.find(({ page }) => page.path === location.pathname);
const shut = rowHere();
// The router would fetch the page and its frame beside the guard that sends one away.
if (shut && shut.page.frame !== 'open' && readToken() === undefined)
  history.replaceState(null, '', loginPath(location.pathname + location.search));
const asked = rowHere();
if (asked) Promise.all([asked.page.load(), loadWordsOf(words, asked.area)]).catch(() => {});
// Words import nothing of the program: they would wait for this file, which waits for them.
await loadCommonWords(words);

const t = words.of<typeof import('@gantry/ui/words/en.ts').words>('ui');
const api = new Api({
  token: readToken,
  language,
  failures: {
    network: t('toasts.network'),
    timed_out: t('toasts.timedOut'),
    bad_answer: t('toasts.badAnswer'),
  },
  onDenied: tellDenied,
});
const client = newQueryClient(tellFailed);
// Requested while the page's script still loads; if one fails, its reader asks again.
for (const call of [CALLS.getSettings, ...(asked?.page.ahead ?? [])])
  void client.prefetchQuery({ queryKey: keyOf(call, {}), queryFn: () => api.call<RouteFacts>(call, {}) });
const router = consoleRouter(AREAS, words, { api, client });

// The splash of index.html stays until a page replaces it.
const root = createRoot(document.getElementById('root') as HTMLElement);
const app = (
  <StrictMode>
    <AppTheme>
      <WordsProvider words={words}>
        <ToastProvider>
          <ApiProvider api={api}>
            <QueryClientProvider client={client}>
              <RouterProvider router={router} />
            </QueryClientProvider>
          </ApiProvider>
        </ToastProvider>
      </WordsProvider>
    </AppTheme>
  </StrictMode>
);
let isShown = false;
const show = ({ initialized }: Pick<typeof router.state, 'initialized'>) => {
  if (isShown || !initialized) return;
  isShown = true;
  dispatchEvent(new Event('gantry:shown'));
  // In small steps, between which clicks and keys are heard.
  startTransition(() => root.render(app));
};
// Not awaited here: pages import from the file that this is in, and would wait for it in turn.
router.subscribe(show);
show(router.state);
