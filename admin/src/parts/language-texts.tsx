// One text in the three languages: a tab for each, with a mark at those that are missing, and what readers will see of it.
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import { LANGUAGE_NAMES } from '@gantry/ui/i18n/language.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import type { ReactNode } from 'react';
import type { words as english } from '../words/en/operation.ts';

export type Texts = Record<Language, string>;
export const NO_TEXTS: Texts = { en: '', zh: '', ja: '' };

interface LanguageTabsProps {
  language: Language;
  onLanguage(language: Language): void;
  /** Whether this language lacks something. */
  isMissing?(language: Language): boolean;
  children: ReactNode;
}

export function LanguageTabs({ language, onLanguage, isMissing, children }: LanguageTabsProps) {
  const t = useAreaWords<typeof english>('operation');
  return (
    <Box sx={{ minWidth: 0 }}>
      <Tabs value={language} onChange={(_, value: Language) => onLanguage(value)} aria-label={t('language.label')}>
        {LANGUAGES.map((each) => (
          <Tab
            key={each}
            value={each}
            id={`language-${each}`}
            aria-controls={`texts-${each}`}
            label={isMissing?.(each) ? t('language.missing', { language: LANGUAGE_NAMES[each] }) : LANGUAGE_NAMES[each]}
          />
        ))}
      </Tabs>
      <Box
        role="tabpanel"
        id={`texts-${language}`}
        aria-labelledby={`language-${language}`}
        lang={language}
        sx={{ pt: 2, display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        {children}
      </Box>
    </Box>
  );
}
