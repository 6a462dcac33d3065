// The same page in the other languages: links, which need no script. A choice is kept for addresses without a language
// (`enliven.ts`).
import type { PageInput } from '@gantry/contract/areas/portal/pages.ts';
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import { LANGUAGE_NAMES, LOCALES } from '@gantry/ui/i18n/language.ts';
import Box from '@mui/material/Box';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { pathIn } from '../path-in.ts';
import { MENU } from './menu-style.ts';

export function LanguageMenu({ input }: { input: PageInput }) {
  const t = usePortalWords();
  return (
    <Box component="details" sx={MENU.whole}>
      <Box
        component="summary"
        aria-label={`${t('header.language')}: ${LANGUAGE_NAMES[input.language]}`}
        sx={MENU.summary}
      >
        {LANGUAGE_NAMES[input.language]}
      </Box>
      <Box component="ul" sx={MENU.list}>
        {LANGUAGES.map((language) => (
          <li key={language}>
            <Box
              component="a"
              href={pathIn(input, language)}
              hrefLang={LOCALES[language]}
              lang={LOCALES[language]}
              aria-current={language === input.language ? 'true' : undefined}
              data-language={language}
              sx={MENU.item}
            >
              {LANGUAGE_NAMES[language]}
            </Box>
          </li>
        ))}
      </Box>
    </Box>
  );
}
