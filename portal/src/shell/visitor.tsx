// Login and register, or the way into the console for somebody who is signed in there: known once the page is in a browser
// (`enliven.ts`), so that every visitor gets the same page.
import type { Site } from '@gantry/contract/areas/portal/pages.ts';
import Box from '@mui/material/Box';
import { LinkButton } from '../parts/link-button.tsx';
import { usePortalWords } from '../parts/use-portal-words.ts';

export function Visitor({ site }: { site: Site }) {
  const t = usePortalWords();
  return (
    <>
      <Box data-visitor="known" hidden suppressHydrationWarning sx={SX}>
        <LinkButton href={`${site.console}/home`} isMain>
          {t('header.console')}
        </LinkButton>
      </Box>
      <Box data-visitor="unknown" suppressHydrationWarning sx={SX}>
        <LinkButton href={`${site.console}/login`}>{t('header.login')}</LinkButton>
      </Box>
      <Box data-visitor="unknown" suppressHydrationWarning sx={{ display: { xs: 'none', sm: 'block' }, ...SX }}>
        <LinkButton href={`${site.console}/register`} isMain>
          {t('header.register')}
        </LinkButton>
      </Box>
    </>
  );
}

const SX = { '&[hidden]': { display: 'none' } } as const;
