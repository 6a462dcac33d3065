// Header and footer around a page.
import type { PageInput } from '@gantry/contract/areas/portal/pages.ts';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { Footer } from './footer.tsx';
import { WIDTH } from './frame-width.ts';
import { Header } from './header.tsx';

export function Frame({ input, children }: { input: PageInput; children: ReactNode }) {
  const t = usePortalWords();
  return (
    <Box sx={{ minHeight: '100vh', display: 'flex', flexDirection: 'column' }}>
      <Box component="a" href="#main" sx={SKIP}>
        {t('header.skip')}
      </Box>
      {input.name !== 'overviewPage' && <Header input={input} />}
      <Box
        component="main"
        id="main"
        tabIndex={-1}
        sx={{ ...WIDTH, width: '100%', py: { xs: 3, md: 5 }, flex: 1, outline: 'none' }}
      >
        {children}
      </Box>
      <Footer input={input} />
    </Box>
  );
}

/** Shown while it has the focus. */
const SKIP = {
  position: 'absolute',
  left: 8,
  top: -60,
  zIndex: 2,
  p: 1,
  bgcolor: 'background.paper',
  '&:focus': { top: 8 },
} as const;
