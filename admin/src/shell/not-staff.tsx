// Somebody who is signed in and has no role of the platform's staff.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import { forgetSession } from '@gantry/ui/session/session.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { words as english } from '../words/en/shell.ts';

export function NotStaff({ name }: { name: string }) {
  const t = useAreaWords<typeof english>('shell');
  const api = useApi();
  const leave = async () => {
    await api.call(CALLS.logout, {}).catch(() => undefined);
    forgetSession();
    location.replace('/login');
  };
  return (
    <Box
      component="main"
      sx={{ minHeight: '100dvh', display: 'grid', placeContent: 'center', gap: 2, p: 2, maxWidth: 560, mx: 'auto' }}
    >
      <Typography variant="h1">{t('notStaff.title')}</Typography>
      <Typography>{t('notStaff.text', { name })}</Typography>
      <Button variant="contained" onClick={() => void leave()} sx={{ justifySelf: 'start' }}>
        {t('user.logout')}
      </Button>
    </Box>
  );
}
