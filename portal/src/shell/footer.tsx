// The footer: every page that the header leads to, and those that it does not.
import { type Brand, type PageInput, pathOf } from '@gantry/contract/areas/portal/pages.ts';
import Box from '@mui/material/Box';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { WIDTH } from './frame-width.ts';

export function Footer({ input: { language, site, brand } }: { input: PageInput }) {
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
        {(['contact', 'terms', 'privacy'] as const).map((name) => (
          <Box component="a" key={name} href={pathOf({ name, language })} sx={link}>
            {t(`written.${name}`)}
          </Box>
        ))}
        <Box component="a" href={pathOf({ name: 'status', language })} sx={link}>
          {t('status.title')}
        </Box>
        <Box component="a" href={`${site.console}/login`} sx={link}>
          {t('header.console')}
        </Box>
        <Box component="a" href={`${site.console}/api/openapi.json`} sx={link}>
          OpenAPI
        </Box>
        <Box component="span" sx={{ flexBasis: '100%', color: 'text.secondary' }}>
          <bdi>{brand.name}</bdi>
        </Box>
        <Legal brand={brand} link={link} />
      </Box>
    </Box>
  );
}

/** Where the law of the domestic market wants the number of an ICP filing to lead. */
const ICP_REGISTER = 'https://beian.miit.gov.cn/';
const ICP = /ICP[备证]/;

/** The operator's own line, and the number that the law wants there. */
function Legal({ brand: { footer, legalNumber, market }, link }: { brand: Brand; link: object }) {
  if (footer === '' && legalNumber === '') return null;
  const isIcp = market === 'domestic' && ICP.test(legalNumber);
  return (
    <Box sx={{ flexBasis: '100%', display: 'flex', flexWrap: 'wrap', columnGap: 3, color: 'text.secondary' }}>
      {footer !== '' && <bdi>{footer}</bdi>}
      {isIcp ? (
        <Box component="a" href={ICP_REGISTER} rel="noreferrer" sx={link}>
          <bdi>{legalNumber}</bdi>
        </Box>
      ) : (
        legalNumber !== '' && <bdi>{legalNumber}</bdi>
      )}
    </Box>
  );
}
