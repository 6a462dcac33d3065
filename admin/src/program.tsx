// The program behind the sign-in: react-admin with our data, words, frame and pages. What nobody may open is not there.

import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { AdminMenu } from '@gantry/contract/roles.ts';
import { useApi, useCall } from '@gantry/ui/client/use-api.tsx';
import { useAllWords } from '@gantry/ui/i18n/use-words.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useQueryClient, useSuspenseQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { AdminUI, CoreAdminContext, CustomRoutes, localStorageStore, Resource } from 'react-admin';
import { Route } from 'react-router';
import { MENU_PAGES } from './menu-pages.ts';
import { PAGES } from './pages.ts';
import { GenericList } from './parts/generic-list.tsx';
import { GenericShow } from './parts/generic-show.tsx';
import { useHomeWords } from './parts/use-home-words.ts';
import { type Staff, staffAuth } from './providers/auth-provider.ts';
import { adminData } from './providers/data-provider.ts';
import { adminI18n, loadPack } from './providers/i18n-provider.ts';
import { keptQueries, readPreferences } from './providers/kept-queries.ts';
import { RESOURCES } from './resources.ts';
import { EnrolSecondFactor } from './shell/enrol-second-factor.tsx';
import { Frame } from './shell/frame.tsx';
import { MenuPage, WithTabs } from './shell/menu-page.tsx';
import { NotFound } from './shell/not-found.tsx';
import { NotStaff } from './shell/not-staff.tsx';
import { Notices } from './shell/notices.tsx';
import { Page } from './shell/page.tsx';
import { useSessionElsewhere } from './shell/use-session-elsewhere.ts';
import { resourceOf, TABLE_NAMES, tableNameOf, tableOf } from './tables.ts';

export function Program() {
  const { data: me } = useCall(CALLS.getMe, {});
  const { data: nodes = [] } = useCall(CALLS.getPermissionNodes, nodesInput('admin'));
  const { data: settings } = useSettings();
  useSessionElsewhere();
  if (!me) return null;
  const isStaff = nodes.some(({ peltype }) => peltype === 'menu');
  if (!isStaff) return <NotStaff name={me.username} />;
  if (settings?.staff_second_factor === 'required' && !me.second_factor) return <EnrolSecondFactor />;
  return (
    <StaffProgram staff={{ id: me.account_id, name: me.username, nodes: new Set(nodes.map(({ pname }) => pname)) }} />
  );
}

/** A page that could not be started: the error, and another try. */
const neededNode = (resource: string, action: string) => RESOURCES[tableNameOf(resource)]?.needs[action as 'create'];

function StaffProgram({ staff }: { staff: Staff }) {
  const api = useApi();
  const client = useQueryClient();
  const words = useAllWords();
  const t = useHomeWords();
  const toast = useToast();
  const [{ data: pack }, { data: preferences }] = useSuspenseQueries({
    queries: [
      {
        queryKey: ['react-admin-words', words.language],
        queryFn: () => loadPack(words.language),
        staleTime: Number.POSITIVE_INFINITY,
      },
      {
        queryKey: ['adminGetPreferences', staff.id],
        // Without them there is still the program.
        queryFn: () => readPreferences(adminData(api)),
        staleTime: Number.POSITIVE_INFINITY,
      },
    ],
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the person and the language are the same until a reload
  const providers = useMemo(() => {
    const dataProvider = adminData(api);
    const local = localStorageStore(undefined, `gantry-admin-${staff.id}`);
    return {
      dataProvider,
      authProvider: staffAuth(api, staff, neededNode),
      i18nProvider: adminI18n(words, pack),
      store: preferences
        ? keptQueries(local, {
            preferences,
            save: (body) => dataProvider.ask('preferences', { method: 'PUT', body }),
            onFailed: ({ message }) => toast.error(t('queriesNotKept', { message })),
          })
        : local,
    };
  }, [staff.id]);
  const may = (menu: AdminMenu) => staff.nodes.has(`manage/${menu}`);
  return (
    <CoreAdminContext {...providers} queryClient={client}>
      <AdminUI
        title="Gantry"
        layout={Frame}
        loginPage={false}
        catchAll={NotFound}
        notification={Notices}
        requireAuth
        disableTelemetry
      >
        <CustomRoutes>
          {PAGES.filter(({ menu }) => menu === undefined || may(menu)).map(({ path, load }) => (
            <Route key={path} path={path} element={<Page load={load} />} />
          ))}
          <Route path="/manage/:menu" element={<MenuPage />} />
          {(Object.keys(MENU_PAGES) as AdminMenu[]).filter(may).flatMap((menu) =>
            (MENU_PAGES[menu] ?? []).map(({ name, load }) => (
              <Route
                key={`${menu}/${name}`}
                path={`/manage/${menu}/${name}`}
                element={
                  <WithTabs menu={menu} tab={name}>
                    <Page load={load} />
                  </WithTabs>
                }
              />
            )),
          )}
        </CustomRoutes>
        {TABLE_NAMES.filter((name) => may(tableOf(name).menu)).map((name) => (
          <Resource key={name} name={resourceOf(name)} {...pagesOf(name)} />
        ))}
      </AdminUI>
    </CoreAdminContext>
  );
}

const RESOURCE_PAGES = new Map<AdminTableName, object>();
function pagesOf(name: AdminTableName): object {
  const known = RESOURCE_PAGES.get(name);
  if (known) return known;
  const {
    list: List = GenericList,
    show: Show = GenericShow,
    edit: Edit,
    create: Create,
  } = RESOURCES[name]?.pages ?? {};
  const { menu } = tableOf(name);
  const pages = {
    list: () => (
      <WithTabs menu={menu} tab={name}>
        <List />
      </WithTabs>
    ),
    show: Show,
    ...(Edit && { edit: Edit }),
    ...(Create && { create: Create }),
    recordRepresentation: representationOf,
  };
  RESOURCE_PAGES.set(name, pages);
  return pages;
}

/** The text of a reference to a row. */
function representationOf(record: Record<string, unknown>): string {
  const { display_name, name, number, title, id } = record;
  return (
    [display_name, name, number, title].find((text): text is string => typeof text === 'string' && text !== '') ??
    `${id}`
  );
}
