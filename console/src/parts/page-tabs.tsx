// The tabs of a page with one address per tab, so that each can be linked to. The first one's is the page's own.
import { LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { type ComponentType, Suspense } from 'react';
import { Link } from 'react-router';

/** By name, which is also what words are kept under; `slug` is the end of its address, where that is another. */
export type PageTabRows<Name extends string> = Readonly<Record<Name, { slug?: string; Content: ComponentType }>>;

const namesOf = <Name extends string>(tabs: PageTabRows<Name>) => Object.keys(tabs) as Name[];

/** Undefined where no tab has such an address. */
export function tabAt<Name extends string>(tabs: PageTabRows<Name>, slug: string | undefined): Name | undefined {
  const names = namesOf(tabs);
  return slug === undefined ? names[0] : names.find((name) => (tabs[name].slug ?? name) === slug);
}

interface PageTabsProps<Name extends string> {
  label: string;
  /** Of the page, such as `/manage/account`. */
  path: string;
  tabs: PageTabRows<Name>;
  shown: Name;
  labelOf(name: Name): string;
}

export function PageTabs<Name extends string>({ label, path, tabs, shown, labelOf }: PageTabsProps<Name>) {
  const { Content } = tabs[shown];
  const idOf = (name: Name) => `page-tab-${name}`;
  return (
    <>
      <Tabs
        value={shown}
        variant="scrollable"
        allowScrollButtonsMobile
        aria-label={label}
        sx={{ mb: 3, borderBottom: '1px solid', borderColor: 'divider' }}
      >
        {namesOf(tabs).map((name, index) => (
          <Tab
            key={name}
            id={idOf(name)}
            value={name}
            label={labelOf(name)}
            component={Link}
            to={index === 0 ? path : `${path}/${tabs[name].slug ?? name}`}
          />
        ))}
      </Tabs>
      <Box role="tabpanel" aria-labelledby={idOf(shown)}>
        <Suspense fallback={<LoadingRows />}>
          <Content />
        </Suspense>
      </Box>
    </>
  );
}
