// An article of the help centre, with its contents and the other articles.
import { pathOf } from '@gantry/contract/areas/portal/pages.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { PageModule } from '../page-module.ts';
import { ArticleList } from '../parts/article-list.tsx';
import { ArticleText, Contents } from '../parts/article-text.tsx';
import { Day } from '../parts/day.tsx';
import { firstWords } from '../parts/first-words.ts';
import { Helpful } from '../parts/helpful.tsx';
import { Kept } from '../parts/kept.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { publisherOf } from '../parts/publisher.ts';
import { usePortalWords } from '../parts/use-portal-words.ts';

export const page: PageModule<'article'> = {
  head: (t, { data: { readArticle: article }, language, brand, site }) => ({
    title: article.title,
    description: firstWords(article.content) || t('help.line'),
    linkedData: [
      {
        '@type': 'TechArticle',
        headline: article.title,
        inLanguage: language,
        datePublished: article.published_at,
        dateModified: article.published_at,
        publisher: publisherOf({ brand, site }),
      },
    ],
  }),
  Page({ data: { readArticle: article }, language, params }) {
    const t = usePortalWords();
    return (
      <>
        <Link href={pathOf({ name: 'helpCenter', language })} underline="hover" sx={{ fontSize: 14 }}>
          {t('help.all')}
        </Link>
        <Box sx={COLUMNS}>
          <Box component="article" sx={{ minWidth: 0, maxWidth: '46rem' }}>
            <PageTitle title={article.title} />
            <Typography variant="body2" color="text.secondary" sx={{ mt: 1, mb: 3 }}>
              {t('help.updated')}: <Day at={article.published_at} />
            </Typography>
            <Kept>{typeof window === 'undefined' ? <ArticleText text={article.content} /> : null}</Kept>
            <Helpful slug={params.slug ?? ''} votes={article.helpful} />
          </Box>
          <Box component="aside" sx={{ fontSize: 14 }}>
            <Kept>
              {typeof window === 'undefined' ? <Contents text={article.content} label={t('help.contents')} /> : null}
            </Kept>
          </Box>
        </Box>
        {article.related.length > 0 && (
          <Box component="section" aria-labelledby="related" sx={{ mt: 5 }}>
            <Typography variant="h2" id="related" sx={{ mb: 1.5 }}>
              {t('help.related')}
            </Typography>
            <ArticleList articles={article.related} language={language} />
          </Box>
        )}
      </>
    );
  },
};

const COLUMNS = {
  mt: 1,
  display: 'grid',
  columnGap: 6,
  rowGap: 3,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 46rem) minmax(0, 1fr)' },
} as const;
