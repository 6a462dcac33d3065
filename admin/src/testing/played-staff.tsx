// A component's test: what the program puts around a page, in English, for a staff member whose network is played.
import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { Api } from '@gantry/ui/client/api.ts';
import { newQueryClient } from '@gantry/ui/client/use-api.tsx';
import type { Phrases } from '@gantry/ui/i18n/words.ts';
import { appAround } from '@gantry/ui/testing/played-app.tsx';
import type { ReactNode } from 'react';
import { type AuthProvider, CoreAdminContext, type I18nProvider, memoryStore } from 'react-admin';
import { MemoryRouter, useLocation } from 'react-router';
import { adminData } from '../providers/data-provider.ts';
import { words as home } from '../words/en/home.ts';
import { words as shell } from '../words/en/shell.ts';

const FAILURES = { network: 'Connection failed.', timed_out: 'Too late.', bad_answer: 'No answer of ours.' };
const i18n: I18nProvider = { translate: (key) => key, changeLocale: async () => {}, getLocale: () => 'en' };

/** A wrapper for `render`. `nodes` are the permission nodes of the person's roles. */
export function staffAround({ path = '/home', nodes = [] as readonly string[] } = {}) {
  const client = newQueryClient();
  const areas = { home, shell, tables } as unknown as Record<string, Phrases>;
  const App = appAround(areas, client);
  const data = adminData(new Api({ token: () => 'tok', language: 'en', failures: FAILURES }));
  const auth: AuthProvider = {
    login: async () => {},
    logout: async () => {},
    checkAuth: async () => {},
    checkError: async () => {},
    getPermissions: async () => new Set(nodes),
  };
  return ({ children }: { children: ReactNode }) => (
    <App>
      <MemoryRouter initialEntries={[path]}>
        <CoreAdminContext
          dataProvider={data}
          authProvider={auth}
          i18nProvider={i18n}
          store={memoryStore()}
          queryClient={client}
        >
          {children}
          <Here />
        </CoreAdminContext>
      </MemoryRouter>
    </App>
  );
}

/** The current address, for tests. */
function Here() {
  const { pathname, search } = useLocation();
  return (
    <span hidden data-testid="here">
      {pathname + search}
    </span>
  );
}
