// The about page: what staff wrote, and how to reach the operator.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { PageModule } from '../page-module.ts';
import { ArticleText } from '../parts/article-text.tsx';
import { firstWords } from '../parts/first-words.ts';
import { Kept } from '../parts/kept.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { publisherOf } from '../parts/publisher.ts';
import { usePortalWords } from '../parts/use-portal-words.ts';

export const page: PageModule<'about'> = {
  head: (t, { data: { readAbout: about }, site, brand }) => ({
    title: about?.title ?? t('about.title'),
    description: firstWords(about?.content ?? '') || t('about.none', { name: brand.name }),
    linkedData: [publisherOf({ brand, site })],
  }),
  Page({ data: { readAbout: about, getSettings: settings }, brand }) {
    const t = usePortalWords();
    return (
      <Box sx={{ maxWidth: '46rem' }}>
        <PageTitle title={about?.title ?? t('about.title')} />
        <Box sx={{ mt: 3 }}>
          {about ? (
            <Kept>{typeof window === 'undefined' ? <ArticleText text={about.content} /> : null}</Kept>
          ) : (
            <Typography>{t('about.none', { name: brand.name })}</Typography>
          )}
        </Box>
        {settings && settings.contact !== '' && (
          <Typography sx={{ mt: 3 }}>
            {t('about.contact')}: <bdi>{settings.contact}</bdi>
          </Typography>
        )}
      </Box>
    );
  },
};
