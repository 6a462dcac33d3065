// The same page in the other languages: links, which need no script. A choice is kept for addresses without a language
// (`enliven.ts`).
import type { PageInput } from '@gantry/contract/areas/portal/pages.ts';
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import { LANGUAGE_NAMES, LOCALES } from '@gantry/ui/i18n/language.ts';
import Box from '@mui/material/Box';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { pathIn } from '../path-in.ts';

export function LanguageMenu({ input }: { input: PageInput }) {
  const t = usePortalWords();
  return (
    <Box component="details" sx={{ position: 'relative', fontSize: 14 }}>
      <Box component="summary" aria-label={t('header.language')} sx={SUMMARY}>
        {LANGUAGE_NAMES[input.language]}
      </Box>
      <Box component="ul" sx={LIST}>
        {LANGUAGES.map((language) => (
          <li key={language}>
            <Box
              component="a"
              href={pathIn(input, language)}
              hrefLang={LOCALES[language]}
              lang={LOCALES[language]}
              aria-current={language === input.language ? 'true' : undefined}
              data-language={language}
              sx={ITEM}
            >
              {LANGUAGE_NAMES[language]}
            </Box>
          </li>
        ))}
      </Box>
    </Box>
  );
}

const SUMMARY = {
  cursor: 'pointer',
  px: 1,
  py: 0.75,
  borderRadius: 1,
  whiteSpace: 'nowrap',
  '&:hover': { bgcolor: 'action.hover' },
} as const;

const LIST = {
  position: 'absolute',
  right: 0,
  zIndex: 1,
  m: 0,
  mt: 0.5,
  p: 0.5,
  listStyle: 'none',
  minWidth: 140,
  bgcolor: 'background.paper',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  boxShadow: 3,
} as const;

const ITEM = {
  display: 'block',
  px: 1.5,
  py: 1,
  borderRadius: 1,
  color: 'text.primary',
  textDecoration: 'none',
  '&:hover': { bgcolor: 'action.hover' },
  '&[aria-current]': { fontWeight: 600 },
} as const;
