// An article as its readers see it, in each language.
import type { Language } from '@gantry/contract/fields/language.ts';
import { useAreaWords, useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { Markdown } from '@gantry/ui/widgets/markdown.tsx';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { LanguageTabs, type Texts } from '../../parts/language-texts.tsx';
import type { words as english } from '../../words/en/operation.ts';

export function ArticlePreview({ title, content }: { title: Texts; content: Texts }) {
  const [language, setLanguage] = useState<Language>(useLanguage());
  return (
    <LanguageTabs language={language} onLanguage={setLanguage} isMissing={(each) => content[each].trim() === ''}>
      <ArticleText title={title[language]} content={content[language]} />
    </LanguageTabs>
  );
}

export function ArticleText({ title, content }: { title: string; content: string }) {
  const t = useAreaWords<typeof english>('operation');
  return (
    <article>
      <Typography variant="h2" sx={{ mb: 1.5, overflowWrap: 'anywhere' }}>
        {title || t('empty')}
      </Typography>
      {content.trim() === '' ? (
        <Typography color="text.secondary">{t('empty')}</Typography>
      ) : (
        <Markdown text={content} />
      )}
    </article>
  );
}
