// A menu: its tabs, and below them the list or page that one of them opens. The menu's own address shows the first.
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import { ADMIN_MENUS, type AdminMenu } from '@gantry/contract/roles.ts';
import { useAllWords, useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { type ReactNode, Suspense } from 'react';
import { ResourceContextProvider, usePermissions } from 'react-admin';
import { Link, useParams } from 'react-router';
import { MENU_PAGES } from '../menu-pages.ts';
import { GenericList } from '../parts/generic-list.tsx';
import { PageLoading } from '../parts/page-loading.tsx';
import { RESOURCES } from '../resources.ts';
import { resourceWords, useNames } from '../table-words.ts';
import { menuOf, resourceOf, tabsOf } from '../tables.ts';
import type { words as english } from '../words/en/shell.ts';
import { NotFound } from './not-found.tsx';
import { Page } from './page.tsx';

interface TabRow {
  readonly name: string;
  readonly label: string;
  readonly to: string;
}

function useTabs(menu: AdminMenu): TabRow[] {
  const words = useAllWords();
  const t = useAreaWords<typeof english>('shell');
  return [
    ...tabsOf(menu).map((name) => ({ name, label: resourceWords(words, name).many, to: `/${resourceOf(name)}` })),
    ...(MENU_PAGES[menu] ?? []).map(({ name, title }) => ({ name, label: t(title), to: `/manage/${menu}/${name}` })),
  ];
}

export function WithTabs({ menu, tab, children }: { menu: AdminMenu; tab: string; children: ReactNode }) {
  const names = useNames();
  const tabs = useTabs(menu);
  return (
    <>
      <Typography variant="h1">{names.menu(menu)}</Typography>
      {tabs.length > 1 && (
        <Box component="nav" aria-label={names.menu(menu)} sx={{ borderBottom: 1, borderColor: 'divider' }}>
          <Tabs value={tab} variant="scrollable" scrollButtons="auto" allowScrollButtonsMobile>
            {tabs.map(({ name, label, to }) => (
              <Tab key={name} value={name} label={label} component={Link} to={to} />
            ))}
          </Tabs>
        </Box>
      )}
      <Suspense fallback={<PageLoading />}>{children}</Suspense>
    </>
  );
}

/** `/manage/<menu>`, and `/manage/host`, which is the first tab of computing by its own name. */
export function MenuPage() {
  const { menu: segment = '' } = useParams();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const menu = menuOf(`/manage/${segment}`);
  if (!menu || !ADMIN_MENUS.includes(menu) || (permissions && !permissions.has(`manage/${menu}`))) return <NotFound />;
  return <FirstTab menu={menu} wanted={segment === 'host' ? 'hosts' : undefined} />;
}

function FirstTab({ menu, wanted }: { menu: AdminMenu; wanted: AdminTableName | undefined }) {
  const name = wanted ?? tabsOf(menu)[0];
  if (name) {
    const List = RESOURCES[name]?.pages.list ?? GenericList;
    return (
      <ResourceContextProvider value={resourceOf(name)}>
        <WithTabs menu={menu} tab={name}>
          <List />
        </WithTabs>
      </ResourceContextProvider>
    );
  }
  return <FirstMenuPage menu={menu} />;
}

/** The first page of a menu that lists no resource. */
function FirstMenuPage({ menu }: { menu: AdminMenu }) {
  const [row] = MENU_PAGES[menu] ?? [];
  if (!row) return <NotFound />;
  return (
    <WithTabs menu={menu} tab={row.name}>
      <Page load={row.load} />
    </WithTabs>
  );
}
