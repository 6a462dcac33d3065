// Login and register, or the menu of somebody who is signed in: known once the page is in a browser
// (`enliven.ts`), so that every visitor gets the same page.
import type { Site } from '@gantry/contract/areas/portal/pages.ts';
import Box from '@mui/material/Box';
import { LinkButton } from '../parts/link-button.tsx';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { MENU } from './menu-style.ts';

export function Visitor({ site }: { site: Site }) {
  const t = usePortalWords();
  return (
    <>
      <Box component="details" data-visitor="known" hidden suppressHydrationWarning sx={[MENU.whole, SX]}>
        <Box component="summary" sx={MENU.summary}>
          <bdi data-account suppressHydrationWarning>
            {t('header.account')}
          </bdi>
        </Box>
        <Box component="ul" sx={MENU.list}>
          <li>
            <Box component="a" href={`${site.console}/home`} sx={MENU.item}>
              {t('header.console')}
            </Box>
          </li>
          <li>
            <Box component="button" type="button" data-logout={t('header.logoutFailed')} sx={[MENU.item, MENU.button]}>
              {t('header.logout')}
            </Box>
          </li>
        </Box>
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
