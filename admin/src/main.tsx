// The operators' console starts: words first, then the sign-in or the program, each loaded when it is needed.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { Api } from '@gantry/ui/client/api.ts';
import { ApiProvider, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { LOCALES, readLanguage } from '@gantry/ui/i18n/language.ts';
import { WordsProvider } from '@gantry/ui/i18n/use-words.tsx';
import { Words } from '@gantry/ui/i18n/words.ts';
import { watchForMissingChunks } from '@gantry/ui/session/missing-chunk.ts';
import { keepSessionApart, readToken } from '@gantry/ui/session/session.ts';
import { AppTheme } from '@gantry/ui/theme/app-theme.tsx';
import '@gantry/ui/theme/plain.css';
import { PageFailed } from '@gantry/ui/widgets/page-failed.tsx';
import { ToastProvider } from '@gantry/ui/widgets/toast.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider, redirect } from 'react-router';
import { loadFirstWords, loadWords } from './load-words.ts';
import { loginPath } from './login/login-path.ts';
import { startProgram } from './shell/start-program.ts';

keepSessionApart('admin');
watchForMissingChunks();

const language = readLanguage();
document.documentElement.lang = LOCALES[language];
const words = new Words(language);
await loadFirstWords(words);

const t = words.of<typeof import('@gantry/ui/words/en.ts').words>('ui');
const api = new Api({
  token: readToken,
  language,
  failures: {
    network: t('toasts.network'),
    timed_out: t('toasts.timedOut'),
    bad_answer: t('toasts.badAnswer'),
  },
});
const client = newQueryClient();
// No stream says what has changed: what is shown again is read again.
client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, staleTime: 0 } });

const router = createBrowserRouter([
  { path: '/', loader: () => redirect('/home') },
  { path: '/manage', loader: () => redirect('/manage/host') },
  {
    path: '/login',
    lazy: async () => ({ Component: (await import('./login/login-page.tsx')).LoginPage }),
    HydrateFallback: () => null,
    // Here, as what is loaded may be missing.
    ErrorBoundary: PageFailed,
  },
  {
    path: '*',
    ErrorBoundary: PageFailed,
    loader: async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      if (readToken() === undefined) throw redirect(loginPath(pathname + search));
      await startProgram({ api, client, here: pathname + search });
      return null;
    },
    // The address changes within the program: it starts once.
    shouldRevalidate: () => false,
    lazy: async () => {
      const [{ Program }] = await Promise.all([import('./program.tsx'), loadWords(words)]);
      return { Component: Program };
    },
    HydrateFallback: () => null,
  },
]);

void client.prefetchQuery({ queryKey: [CALLS.getSettings.id, {}], queryFn: () => api.call(CALLS.getSettings, {}) });

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
// The splash of index.html stays until a page replaces it.
let isShown = false;
const show = ({ initialized }: Pick<typeof router.state, 'initialized'>) => {
  if (isShown || !initialized) return;
  isShown = true;
  dispatchEvent(new Event('gantry:shown'));
  root.render(app);
};
router.subscribe(show);
show(router.state);
