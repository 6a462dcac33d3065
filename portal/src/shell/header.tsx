// The header: tabs, the languages, and the way into the console.
import { factsOf, isFault, type PageInput, type PageName, pathOf } from '@gantry/contract/areas/portal/pages.ts';
import Box from '@mui/material/Box';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { WIDTH } from './frame-width.ts';
import { LanguageMenu } from './language-menu.tsx';
import { Visitor } from './visitor.tsx';

/** In their order. The help centre's tab is shown and leads nowhere: the specification has it so. */
const TABS: readonly { name: PageName; isDisabled?: true }[] = [
  { name: 'home' },
  { name: 'computingCenter' },
  { name: 'modelLibrary' },
  { name: 'dataset' },
  { name: 'helpCenter', isDisabled: true },
  { name: 'about' },
];

export function Header({ input }: { input: PageInput }) {
  const t = usePortalWords();
  const { language, name, brand } = input;
  const chosen = isFault(name) ? undefined : (factsOf(name).tab ?? name);
  return (
    <Box component="header" sx={{ bgcolor: 'background.paper', borderBottom: 1, borderColor: 'divider' }}>
      <Box
        sx={{
          ...WIDTH,
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          columnGap: 2,
          minHeight: 60,
          pt: { xs: 1.25, lg: 0 },
        }}
      >
        <Box component="a" href={pathOf({ name: 'home', language })} sx={BRAND}>
          <Box component="img" src={brand.logo} width="28" height="28" alt="" sx={{ objectFit: 'contain' }} />
          <bdi>{brand.name}</bdi>
        </Box>
        <Box component="nav" aria-label={t('header.pages')} sx={NAV}>
          {TABS.map((tab) =>
            tab.isDisabled ? (
              <Box
                component="a"
                key={tab.name}
                role="link"
                aria-disabled="true"
                sx={{ ...TAB, opacity: 0.75, cursor: 'default' }}
              >
                {t(`tabs.${tab.name}` as 'tabs.home')}
              </Box>
            ) : (
              <Box
                component="a"
                key={tab.name}
                href={pathOf({ name: tab.name, language })}
                aria-current={tab.name === chosen ? 'page' : undefined}
                sx={TAB}
              >
                {t(`tabs.${tab.name}` as 'tabs.home')}
              </Box>
            ),
          )}
        </Box>
        <Box sx={{ ml: 'auto', display: 'flex', alignItems: 'center', gap: 1 }}>
          <LanguageMenu input={input} />
          <Visitor site={input.site} />
        </Box>
      </Box>
    </Box>
  );
}

const BRAND = {
  display: 'flex',
  alignItems: 'center',
  gap: 1,
  fontWeight: 700,
  fontSize: 18,
  color: 'text.primary',
  textDecoration: 'none',
} as const;

/** A row of its own below the name where the window is narrow; it scrolls there. */
const NAV = {
  display: 'flex',
  gap: 0.5,
  overflowX: 'auto',
  order: { xs: 3, lg: 0 },
  width: { xs: '100%', lg: 'auto' },
  mx: { xs: -1, lg: 0 },
} as const;

const TAB = {
  px: 1.25,
  py: 1.5,
  fontSize: 15,
  whiteSpace: 'nowrap',
  color: 'text.secondary',
  textDecoration: 'none',
  borderBottom: '2px solid transparent',
  '&[href]:hover': { color: 'text.primary' },
  '&[aria-current]': { color: 'text.primary', fontWeight: 600, borderBottomColor: 'primary.main' },
} as const;
