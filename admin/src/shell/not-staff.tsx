// Somebody who is signed in and has no role of the platform's staff.
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { words as english } from '../words/en/shell.ts';
import { logOut } from './end-session.ts';

export function NotStaff({ name }: { name: string }) {
  const t = useAreaWords<typeof english>('shell');
  const api = useApi();
  return (
    <Box
      component="main"
      sx={{ minHeight: '100dvh', display: 'grid', placeContent: 'center', gap: 2, p: 2, maxWidth: 560, mx: 'auto' }}
    >
      <Typography variant="h1">{t('notStaff.title')}</Typography>
      <Typography>{t('notStaff.text', { name })}</Typography>
      <Button variant="contained" onClick={() => void logOut(api)} sx={{ justifySelf: 'start' }}>
        {t('user.logout')}
      </Button>
    </Box>
  );
}
