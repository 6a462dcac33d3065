// How to reach the operator of this installation.

import { linkOf } from '@gantry/ui/format/contact-link.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { OpenPage } from '../../parts/open-page.tsx';
import { useHelpWords } from './use-help-words.ts';

const WAYS = ['contact', 'support', 'community'] as const;

export function ContactPage() {
  const t = useHelpWords();
  const ui = useUiWords();
  const { data, error, refetch } = useSettings();
  const set = WAYS.flatMap((way) => (data?.[way] ? [{ way, value: data[way] }] : []));
  // Without a contact of its own the installation gives one of the others as such.
  const ways = set.filter(({ value }, at) => !set.slice(at + 1).some((other) => other.value === value));
  return (
    <OpenPage title={ui('links.contact')} maxWidth={720}>
      <Typography variant="h1">{ui('links.contact')}</Typography>
      <Typography color="textSecondary" sx={{ mb: 3 }}>
        {t('contact.lead')}{' '}
        <Link component={RouterLink} to="/help">
          {ui('links.help')}
        </Link>
      </Typography>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingRows rows={2} height={72} />
      ) : ways.length === 0 ? (
        <Paper variant="outlined">
          <EmptyState title={t('contact.none')} hint={t('contact.noneHint')} />
        </Paper>
      ) : (
        <Box sx={{ display: 'grid', gap: 2 }}>
          {ways.map(({ way, value }) => (
            <Way key={way} title={t(`contact.${way}`)} hint={t(`contact.${way}Hint`)} value={value} />
          ))}
        </Box>
      )}
    </OpenPage>
  );
}

function Way({ title, hint, value }: { title: string; hint: string; value: string }) {
  const link = linkOf(value);
  return (
    <Paper variant="outlined" sx={{ p: 2 }}>
      <Typography variant="h2">{title}</Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {hint}
      </Typography>
      {link === undefined ? (
        <Typography>{value}</Typography>
      ) : (
        <Link href={link} rel="noopener" sx={{ overflowWrap: 'anywhere' }}>
          {value}
        </Link>
      )}
    </Paper>
  );
}
