// The home page: what this is, what is there now, and three ways in.
import { type PageData, pathOf } from '@gantry/contract/areas/portal/pages.ts';
import { exactText } from '@gantry/ui/format/money.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { PageModule } from '../page-module.ts';
import { ArticleList } from '../parts/article-list.tsx';
import { Command } from '../parts/command.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Numbers } from '../parts/numbers.tsx';
import { publisherOf } from '../parts/publisher.ts';
import { usePortalWords } from '../parts/use-portal-words.ts';

const MOST_ARTICLES = 6;

export const page: PageModule<'home'> = {
  head: (t, { site, brand }) => ({
    title: t('home.sentence'),
    description: t('home.line'),
    linkedData: [publisherOf({ brand, site }), { '@type': 'WebSite', name: brand.name, url: site.portal }],
  }),
  Page({ data: { listArticles: articles, getSettings: settings, readOverview: overview }, language, site }) {
    const t = usePortalWords();
    return (
      <Box sx={{ display: 'grid', gap: { xs: 5, md: 7 } }}>
        <Box sx={{ pt: { xs: 1, md: 4 } }}>
          <Typography variant="h1" sx={HERO}>
            {t('home.sentence')}
          </Typography>
          <Typography color="text.secondary" sx={{ mt: 2, maxWidth: '42rem', fontSize: { xs: 16, md: 18 } }}>
            {t('home.line')}
          </Typography>
          <Box sx={{ mt: 3, display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
            <LinkButton href={`${site.console}/register`} isMain isLarge>
              {t('home.start')}
            </LinkButton>
            <LinkButton href={pathOf({ name: 'computingCenter', language })} isLarge>
              {t('tabs.computingCenter')}
            </LinkButton>
          </Box>
          {settings && Number(settings.welcome_credits) > 0 && (
            <Typography variant="body2" color="text.secondary" sx={{ mt: 1.5 }}>
              {t('home.credits', { amount: `${settings.billing_unit}${shortAmount(settings.welcome_credits)}` })}
            </Typography>
          )}
        </Box>
        {overview && <Numbers overview={overview} />}
        <section aria-labelledby="ways">
          <Typography variant="h2" id="ways" sx={{ fontSize: 22, mb: 2 }}>
            {t('home.ways')}
          </Typography>
          <Box
            sx={{
              display: 'grid',
              gap: 2,
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(3, minmax(0, 1fr))' },
            }}
          >
            {waysIn(site.console).map(({ name, command }) => (
              <Box key={name} sx={CARD}>
                <Typography variant="h3">{t(`home.${name}`)}</Typography>
                <Typography variant="body2" color="text.secondary" sx={{ mb: 1 }}>
                  {t(`home.${name}Line`)}
                </Typography>
                <Command text={command} label={t(`home.${name}`)} />
              </Box>
            ))}
          </Box>
        </section>
        {overview && <Plans plans={overview.plans} currency={overview.currency} />}
        {overview && overview.announcements.length > 0 && (
          <section aria-labelledby="announcements">
            <Typography variant="h2" id="announcements" sx={{ fontSize: 22, mb: 1 }}>
              {t('home.announcements')}
            </Typography>
            {overview.announcements.map(({ id, title, content }) => (
              <Box key={id} id={`announcement-${id}`} sx={{ mb: 2 }}>
                <Typography variant="h3">
                  <bdi>{title}</bdi>
                </Typography>
                <Typography sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
                  <bdi>{content}</bdi>
                </Typography>
              </Box>
            ))}
          </section>
        )}
        {articles && articles.length > 0 && (
          <section aria-labelledby="articles">
            <Typography variant="h2" id="articles" sx={{ fontSize: 22, mb: 1 }}>
              {t('home.articles')}
            </Typography>
            <ArticleList articles={articles.slice(0, MOST_ARTICLES)} language={language} />
          </section>
        )}
      </Box>
    );
  },
};

function Plans({
  plans,
  currency,
}: {
  plans: NonNullable<PageData<'home'>['readOverview']>['plans'];
  currency: string;
}) {
  const t = usePortalWords();
  return (
    <section aria-labelledby="plans">
      <Typography variant="h2" id="plans" sx={{ fontSize: 22, mb: 2 }}>
        {t('home.plans')}
      </Typography>
      <Box
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' } }}
      >
        {plans.map(({ plan, name, price, hosts, features }) => (
          <Box key={plan} sx={CARD}>
            <Typography variant="h3">{name}</Typography>
            <Typography sx={{ fontSize: 22, fontWeight: 700 }}>
              {price === null ? t('home.planAsked') : t('home.planPrice', { amount: exactText(price, currency) })}
            </Typography>
            <Typography variant="body2" color="text.secondary">
              {hosts === null ? t('home.planHostsAny') : t('home.planHosts', { smart_count: hosts })}
            </Typography>
            <Box component="ul" sx={{ m: 0, pl: 2.5, fontSize: 14 }}>
              {features.map(({ feature, label }) => (
                <li key={feature}>{label}</li>
              ))}
            </Box>
          </Box>
        ))}
      </Box>
    </section>
  );
}

/** The first command of each; the last one needs no account. */
const waysIn = (origin: string) =>
  [
    {
      name: 'instance',
      command: `curl ${origin}/api/develop/v1/instance \\
  -H "X-Token: $GANTRY_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"displayName": "first",
       "image": "official/ubuntu:24.04",
       "gpu": {"model": "Tesla-T4", "count": 1}}'`,
    },
    {
      name: 'model',
      command: `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer $GANTRY_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "my-model", "messages":
       [{"role": "user", "content": "Hello"}]}'`,
    },
    { name: 'api', command: `curl ${origin}/api/elnode/v1/spec` },
  ] as const;

/** `100.000000` is 100. */
const shortAmount = (amount: string): string => amount.replace(/\.?0+$/, '');

const CARD = {
  p: 2.5,
  display: 'flex',
  flexDirection: 'column',
  gap: 1,
  bgcolor: 'background.paper',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
} as const;

const HERO = {
  fontSize: { xs: 32, md: 48 },
  lineHeight: 1.15,
  letterSpacing: '-0.02em',
  maxWidth: '52rem',
  textWrap: 'balance',
  // Japanese breaks between phrases.
  wordBreak: 'auto-phrase',
} as const;
