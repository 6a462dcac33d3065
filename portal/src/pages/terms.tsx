// The terms of service: what staff wrote, or the general text.
import type { PageModule } from '../page-module.ts';
import { ArticleText } from '../parts/article-text.tsx';
import { firstWords } from '../parts/first-words.ts';
import { generalText } from '../parts/general-text.ts';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { WrittenText } from '../parts/written-text.tsx';

export const page: PageModule<'terms'> = {
  head: (t, { data: { readTerms: written }, language }) => ({
    title: written?.title ?? t('written.terms'),
    description: firstWords(written?.content ?? generalText('terms', language)),
  }),
  Page({ data: { readTerms: written }, language }) {
    const t = usePortalWords();
    return (
      <WrittenText
        written={written}
        title={t('written.terms')}
        fallback={<ArticleText text={generalText('terms', language)} />}
      />
    );
  },
};
