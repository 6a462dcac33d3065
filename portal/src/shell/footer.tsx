// The footer: every page that the header leads to, and those that it does not.
import { type PageInput, pathOf } from '@gantry/contract/areas/portal/pages.ts';
import Box from '@mui/material/Box';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { WIDTH } from './frame-width.ts';

export function Footer({ input: { language, site } }: { input: PageInput }) {
  const t = usePortalWords();
  const link = { color: 'text.secondary', textDecoration: 'none', '&:hover': { textDecoration: 'underline' } };
  return (
    <Box component="footer" sx={{ borderTop: 1, borderColor: 'divider', bgcolor: 'background.paper', fontSize: 14 }}>
      <Box sx={{ ...WIDTH, py: 3, display: 'flex', flexWrap: 'wrap', columnGap: 3, rowGap: 1.5 }}>
        {(['home', 'computingCenter', 'modelLibrary', 'dataset', 'helpCenter', 'about'] as const).map((name) => (
          <Box component="a" key={name} href={pathOf({ name, language })} sx={link}>
            {t(`tabs.${name}`)}
          </Box>
        ))}
        <Box component="a" href={`${site.console}/login`} sx={link}>
          {t('header.console')}
        </Box>
        <Box component="a" href={`${site.console}/api/openapi.json`} sx={link}>
          OpenAPI
        </Box>
        <Box component="span" sx={{ ml: { md: 'auto' }, color: 'text.secondary' }}>
          Gantry
        </Box>
      </Box>
    </Box>
  );
}
