// The language of an app on this machine: the browser's own list, which works on every phone and weighs nothing.
import type { Language } from '@gantry/contract/fields/language.ts';
import Box from '@mui/material/Box';
import { changeLanguage, LANGUAGE_NAMES, LOCALES } from '../i18n/language.ts';
import { useLanguage, useUiWords } from '../i18n/use-words.tsx';

/** `id`: of a field whose label stands beside it; without one it says itself what it is. */
export function LanguageSelect({ id }: { id?: string }) {
  const t = useUiWords();
  const language = useLanguage();
  return (
    <Box
      component="select"
      {...(id === undefined ? { 'aria-label': t('language') } : { id })}
      value={language}
      onChange={(event: React.ChangeEvent<HTMLSelectElement>) => changeLanguage(event.target.value as Language)}
      sx={{
        font: 'inherit',
        fontSize: 14,
        color: 'text.primary',
        bgcolor: 'background.paper',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: 1,
        height: 36,
        px: 1,
      }}
    >
      {Object.entries(LANGUAGE_NAMES).map(([each, name]) => (
        <option key={each} value={each} lang={LOCALES[each as Language]}>
          {name}
        </option>
      ))}
    </Box>
  );
}
