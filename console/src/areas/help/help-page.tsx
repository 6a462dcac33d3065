// Short answers to what people ask first. What is looked for stands in the address, so that it can be sent to somebody.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { NoMatch } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { Link as RouterLink, useLocation, useSearchParams } from 'react-router';
import { OpenPage } from '../../parts/open-page.tsx';
import { Blocks } from './blocks.tsx';
import { isAbout } from './blocks-of.ts';
import { PlatformArticles, usePlatformArticles } from './platform-articles.tsx';
import { useHelpWords } from './use-help-words.ts';

/** In the order of what one needs. */
const ARTICLES = [
  'first',
  'ssh',
  'terminal',
  'disks',
  'stopping',
  'pending',
  'hosts',
  'billing',
  'keys',
  'organization',
  'account',
] as const;

export function HelpPage() {
  const t = useHelpWords();
  const ui = useUiWords();
  const [params, setParams] = useSearchParams();
  const search = params.get('q') ?? '';
  const setSearch = (text: string) => setParams(text === '' ? {} : { q: text }, { replace: true });
  const published = usePlatformArticles(search.trim());
  useFragment();
  const found = ARTICLES.map((id) => ({ id, title: t(`articles.${id}.title`), text: t(`articles.${id}.text`) })).filter(
    ({ title, text }) => isAbout(`${title} ${text}`, search.trim()),
  );
  return (
    <OpenPage title={ui('links.help')} maxWidth={1100}>
      <Typography variant="h1">{ui('links.help')}</Typography>
      <Typography color="textSecondary" sx={{ mb: 2 }}>
        {t('lead')}{' '}
        <Link component={RouterLink} to="/contact">
          {ui('links.contact')}
        </Link>
      </Typography>
      <TextField
        type="search"
        label={t('search')}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        sx={{ maxWidth: 480, mb: 3 }}
      />
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '14rem minmax(0, 1fr)' } }}>
        <Box
          component="nav"
          aria-label={t('contents')}
          sx={{ alignSelf: 'start', position: { md: 'sticky' }, top: 16 }}
        >
          {found.map(({ id, title }) => (
            <Link key={id} href={`#${id}`} variant="body2" sx={{ display: 'block', py: 0.75 }}>
              {title}
            </Link>
          ))}
        </Box>
        <Box role="status" aria-live="polite" sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
          <PlatformArticles articles={published} />
          {found.length + published.length === 0 && <NoMatch onClear={() => setSearch('')} />}
          {found.map(({ id, title, text }) => (
            <Paper
              key={id}
              component="article"
              id={id}
              variant="outlined"
              sx={{ p: { xs: 2, sm: 3 }, scrollMarginTop: 16 }}
            >
              <Typography variant="h2" sx={{ mb: 1.5 }}>
                {title}
              </Typography>
              <Blocks text={text} title={title} />
            </Paper>
          ))}
        </Box>
      </Box>
    </OpenPage>
  );
}

/** The page renders later than its address: it scrolls to `#ssh` once that exists. */
function useFragment() {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
}
