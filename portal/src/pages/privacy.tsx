// The privacy notice: what staff wrote, or the general text.
import type { PageModule } from '../page-module.ts';
import { ArticleText } from '../parts/article-text.tsx';
import { firstWords } from '../parts/first-words.ts';
import { generalText } from '../parts/general-text.ts';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { WrittenText } from '../parts/written-text.tsx';

export const page: PageModule<'privacy'> = {
  head: (t, { data: { readPrivacy: written }, language }) => ({
    title: written?.title ?? t('written.privacy'),
    description: firstWords(written?.content ?? generalText('privacy', language)),
  }),
  Page({ data: { readPrivacy: written }, language }) {
    const t = usePortalWords();
    return (
      <WrittenText
        written={written}
        title={t('written.privacy')}
        fallback={<ArticleText text={generalText('privacy', language)} />}
      />
    );
  },
};
