// The about page: what staff wrote, and how to reach the operator.
import Typography from '@mui/material/Typography';
import type { PageModule } from '../page-module.ts';
import { firstWords } from '../parts/first-words.ts';
import { publisherOf } from '../parts/publisher.ts';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { WrittenText } from '../parts/written-text.tsx';

export const page: PageModule<'about'> = {
  head: (t, { data: { readAbout: about }, site, brand }) => ({
    title: about?.title ?? t('about.title'),
    description: firstWords(about?.content ?? '') || t('about.none', { name: brand.name }),
    linkedData: [publisherOf({ brand, site })],
  }),
  Page({ data: { readAbout: about, getSettings: settings }, brand }) {
    const t = usePortalWords();
    return (
      <WrittenText
        written={about}
        title={t('about.title')}
        fallback={<Typography>{t('about.none', { name: brand.name })}</Typography>}
      >
        {settings && settings.contact !== '' && (
          <Typography sx={{ mt: 3 }}>
            {t('about.contact')}: <bdi>{settings.contact}</bdi>
          </Typography>
        )}
      </WrittenText>
    );
  },
};
