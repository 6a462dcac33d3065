// How to reach the operator: what staff wrote, and the addresses of the settings.
import { linkOf } from '@gantry/ui/format/contact-link.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { PageModule } from '../page-module.ts';
import { firstWords } from '../parts/first-words.ts';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { WrittenText } from '../parts/written-text.tsx';

const WAYS = ['contact', 'support', 'community'] as const;

export const page: PageModule<'contact'> = {
  head: (t, { data: { readContact: written }, brand }) => ({
    title: written?.title ?? t('written.contact'),
    description: firstWords(written?.content ?? '') || t('written.contactLine', { name: brand.name }),
  }),
  Page({ data: { readContact: written, getSettings: settings }, brand }) {
    const t = usePortalWords();
    const set = WAYS.flatMap((way) => (settings?.[way] ? [{ way, value: settings[way] }] : []));
    // Without a contact of its own the installation gives one of the others as such.
    const ways = set.filter(({ value }, at) => !set.slice(at + 1).some((other) => other.value === value));
    return (
      <WrittenText
        written={written}
        title={t('written.contact')}
        fallback={
          <Typography>
            {ways.length > 0 ? t('written.contactLine', { name: brand.name }) : t('written.noContact')}
          </Typography>
        }
      >
        <Box component="dl" sx={{ mt: 3 }}>
          {ways.map(({ way, value }) => (
            <Box key={way} sx={{ mb: 2 }}>
              <Typography component="dt" variant="h3">
                {t(`written.ways.${way}`)}
              </Typography>
              <Box component="dd" sx={{ m: 0 }}>
                <Way value={value} />
              </Box>
            </Box>
          ))}
        </Box>
      </WrittenText>
    );
  },
};

function Way({ value }: { value: string }) {
  const href = linkOf(value);
  return href === undefined ? (
    <bdi>{value}</bdi>
  ) : (
    <a href={href} rel="noopener noreferrer nofollow">
      <bdi>{value}</bdi>
    </a>
  );
}
