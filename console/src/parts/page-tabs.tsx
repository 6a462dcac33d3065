// The tabs of a page with one address per tab, so that each can be linked to. The first one's is the page's own.
import { LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { type ReactNode, Suspense, useEffect } from 'react';
import { Link } from 'react-router';

/** `name` is also what words are kept under; `slug` is the end of its address, where that is another. */
interface TabRow<Name extends string = string> {
  readonly name: Name;
  readonly slug?: string;
}

const slugOf = ({ name, slug = name }: TabRow): string => slug;

/** Undefined where no tab has such an address. */
export const tabAt = <Row extends TabRow>(tabs: readonly Row[], slug: string | undefined): Row | undefined =>
  slug === undefined ? tabs[0] : tabs.find((tab) => slugOf(tab) === slug);

interface PageTabsProps<Name extends string> {
  label: string;
  /** The page's path, such as `/manage/account`. */
  path: string;
  tabs: readonly TabRow<Name>[];
  shown: Name;
  labelOf(name: Name): string;
  /** The content of the current tab. */
  children: ReactNode;
}

export function PageTabs<Name extends string>({ label, path, tabs, shown, labelOf, children }: PageTabsProps<Name>) {
  const idOf = (name: Name) => `page-tab-${name}`;
  const shownId = idOf(shown);
  // On a phone the row of tabs is longer than the screen.
  useEffect(() => {
    const here = document.getElementById(shownId);
    here?.scrollIntoView?.({ block: 'nearest', inline: 'center' });
  }, [shownId]);
  return (
    <>
      <Tabs
        value={shown}
        variant="scrollable"
        allowScrollButtonsMobile
        aria-label={label}
        sx={{ mb: 3, borderBottom: '1px solid', borderColor: 'divider' }}
      >
        {tabs.map((tab, index) => (
          <Tab
            key={tab.name}
            id={idOf(tab.name)}
            value={tab.name}
            label={labelOf(tab.name)}
            component={Link}
            to={index === 0 ? path : `${path}/${slugOf(tab)}`}
          />
        ))}
      </Tabs>
      <Box role="tabpanel" aria-labelledby={shownId}>
        <Suspense fallback={<LoadingRows />}>{children}</Suspense>
      </Box>
    </>
  );
}
