// A menu: its tabs, in groups where they are many, and below them the list or page that one of them opens. The menu's own address
// shows the first.
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import { ADMIN_MENUS, type AdminMenu } from '@gantry/contract/roles.ts';
import { useAllWords, useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import MuiTab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { type ReactNode, Suspense } from 'react';
import { ResourceContextProvider, usePermissions } from 'react-admin';
import { Link, useParams } from 'react-router';
import { MENU_GROUPS } from '../menu-groups.ts';
import { MENU_PAGES } from '../menu-pages.ts';
import { GenericList } from '../parts/generic-list.tsx';
import { ListLoading } from '../parts/list-loading.tsx';
import { RESOURCES } from '../resources.ts';
import { resourceWords, useNames } from '../table-words.ts';
import { menuOf, resourceOf, tabsOf } from '../tables.ts';
import type { words as english } from '../words/en/shell.ts';
import { NotFound } from './not-found.tsx';
import { Page } from './page.tsx';

interface Tab {
  readonly name: string;
  readonly label: string;
  readonly to: string;
}

function useTabs(menu: AdminMenu): Tab[] {
  const words = useAllWords();
  const t = useAreaWords<typeof english>('shell');
  return [
    ...tabsOf(menu).map((name) => ({ name, label: resourceWords(words, name).many, to: `/${resourceOf(name)}` })),
    ...(MENU_PAGES[menu] ?? []).map(({ name, title }) => ({ name, label: t(title), to: `/manage/${menu}/${name}` })),
  ];
}

export function WithTabs({ menu, tab, children }: { menu: AdminMenu; tab: string; children: ReactNode }) {
  const names = useNames();
  const t = useAreaWords<typeof english>('shell');
  const tabs = useTabs(menu);
  const groups = MENU_GROUPS[menu];
  const group = groups?.find(({ tables }) => tables.some((name) => name === tab));
  const shown = group ? group.tables.flatMap((table) => tabs.filter(({ name }) => name === table)) : tabs;
  return (
    <>
      <Typography variant="h1">{names.menu(menu)}</Typography>
      {groups && group && (
        <TabRow
          label={names.menu(menu)}
          tab={group.title}
          tabs={groups.map(({ title, tables: [first] }) => ({
            name: title,
            label: t(title),
            to: first ? `/${resourceOf(first)}` : '',
          }))}
        />
      )}
      {shown.length > 1 && (
        <TabRow
          label={group ? t(group.title) : names.menu(menu)}
          tab={tab}
          tabs={shown}
          isSecond={group !== undefined}
        />
      )}
      <Suspense fallback={<ListLoading />}>{children}</Suspense>
    </>
  );
}

interface TabRowProps {
  label: string;
  tab: string;
  tabs: readonly Tab[];
  isSecond?: boolean;
}

const TabRow = ({ label, tab, tabs, isSecond = false }: TabRowProps) => (
  <Box component="nav" aria-label={label} sx={isSecond ? { mt: 1 } : { borderBottom: 1, borderColor: 'divider' }}>
    <Tabs
      value={tab}
      variant="scrollable"
      scrollButtons="auto"
      allowScrollButtonsMobile
      {...(isSecond && { slotProps: { indicator: { sx: { display: 'none' } } } })}
      sx={isSecond ? SECOND_ROW : {}}
    >
      {tabs.map(({ name, label: text, to }) => (
        <MuiTab key={name} value={name} label={text} component={Link} to={to} />
      ))}
    </Tabs>
  </Box>
);

/** Of two rows the second is lower, and marks its tab by a ground. */
const SECOND_ROW = {
  minHeight: 28,
  '& .MuiTab-root': { minHeight: 28, py: 0, px: 1.25, borderRadius: '6px' },
  '& .Mui-selected': { bgcolor: 'neutral.3' },
} as const;

/** `/manage/<menu>`, and `/manage/host`, which is the first tab of computing by its own name. */
export function MenuPage() {
  const { menu: segment = '' } = useParams();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const menu = menuOf(`/manage/${segment}`);
  if (!menu || !ADMIN_MENUS.includes(menu) || (permissions && !permissions.has(`manage/${menu}`))) return <NotFound />;
  return <FirstTab menu={menu} wanted={segment === 'host' ? 'hosts' : undefined} />;
}

function FirstTab({ menu, wanted }: { menu: AdminMenu; wanted: AdminTableName | undefined }) {
  const name = wanted ?? MENU_GROUPS[menu]?.[0]?.tables[0] ?? tabsOf(menu)[0];
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
