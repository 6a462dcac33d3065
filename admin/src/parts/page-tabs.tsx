// Tabs of a row's page; the open one is in the address, and only its content is read.
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { type ReactNode, Suspense } from 'react';

import { useSearchParams } from 'react-router';
import { PageLoading } from './page-loading.tsx';

export interface PageTab {
  readonly name: string;
  readonly label: string;
  readonly content: ReactNode;
}

export function PageTabs({ tabs, label }: { tabs: readonly PageTab[]; label: string }) {
  const [params, setParams] = useSearchParams();
  const open = tabs.find(({ name }) => name === params.get('tab')) ?? tabs[0];
  if (!open) return null;
  const choose = (name: string) => {
    const next = new URLSearchParams(params);
    if (name === tabs[0]?.name) next.delete('tab');
    else next.set('tab', name);
    setParams(next, { replace: true });
  };
  return (
    <Box sx={{ minWidth: 0 }}>
      <Tabs
        value={open.name}
        onChange={(_, name: string) => choose(name)}
        aria-label={label}
        variant="scrollable"
        scrollButtons="auto"
        allowScrollButtonsMobile
        sx={{ borderBottom: 1, borderColor: 'divider', mb: 2 }}
      >
        {tabs.map(({ name, label: text }) => (
          <Tab key={name} value={name} label={text} id={`tab-${name}`} aria-controls={`panel-${name}`} />
        ))}
      </Tabs>
      <Box role="tabpanel" id={`panel-${open.name}`} aria-labelledby={`tab-${open.name}`}>
        <Suspense fallback={<PageLoading />}>{open.content}</Suspense>
      </Box>
    </Box>
  );
}
