// The help centre: its articles, and a search in them that the address keeps.
import { pathOf } from '@gantry/contract/areas/portal/pages.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { PageModule, Shown } from '../page-module.ts';
import { ArticleList } from '../parts/article-list.tsx';
import { Day } from '../parts/day.tsx';
import { FIELDS } from '../parts/field-style.ts';
import { Kept } from '../parts/kept.tsx';
import { Marked } from '../parts/marked.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { usePortalWords } from '../parts/use-portal-words.ts';

export const page: PageModule<'helpCenter'> = {
  head: (t) => ({ title: t('help.title'), description: t('help.line') }),
  Page: (shown) => <Kept>{typeof window === 'undefined' ? <Articles {...shown} /> : null}</Kept>,
};

function Articles({ data: { listArticles: articles }, language, query: { q } }: Shown<'helpCenter'>) {
  const t = usePortalWords();
  const path = pathOf({ name: 'helpCenter', language });
  return (
    <>
      <PageTitle title={t('help.title')} line={t('help.line')} />
      <Box component="form" role="search" method="get" action={path} sx={{ ...FIELDS, my: 3 }}>
        <label>
          {t('library.search')}
          <input type="search" name="q" maxLength={100} defaultValue={q ?? ''} />
        </label>
        <button type="submit">{t('library.searchButton')}</button>
        {q !== undefined && <a href={path}>{t('help.all')}</a>}
      </Box>
      <Typography sx={{ mb: 2 }}>
        <a href={pathOf({ name: 'apiReference', language })}>{t('api.title')}</a>: {t('api.line')}
      </Typography>
      {!articles && <Typography>{t('help.failed')}</Typography>}
      {articles?.length === 0 && <Typography>{q === undefined ? t('help.none') : t('help.noneFound')}</Typography>}
      {articles && articles.length > 0 && q === undefined && <ArticleList articles={articles} language={language} />}
      {articles && q !== undefined && (
        <Box component="ul" sx={FOUND}>
          {articles.map(({ slug, title, published_at, found }) => (
            <li key={slug}>
              <a href={pathOf({ name: 'article', language, params: { slug } })}>
                <Marked text={title} ranges={found?.title_ranges ?? []} />
              </a>
              {found && (
                <Typography sx={{ overflowWrap: 'anywhere' }}>
                  <Marked text={found.excerpt} ranges={found.excerpt_ranges} />
                </Typography>
              )}
              <Typography variant="body2" color="text.secondary">
                {t('help.updated')}: <Day at={published_at} />
              </Typography>
            </li>
          ))}
        </Box>
      )}
    </>
  );
}

const FOUND = {
  listStyle: 'none',
  m: 0,
  p: 0,
  display: 'grid',
  gap: 2.5,
  maxWidth: '46rem',
  '& > li > a': { color: 'primary.main', fontWeight: 600, textDecoration: 'none' },
} as const;
