// There is nothing at this address, or nothing that this person may see.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { useShellWords } from './use-shell-words.ts';

export function NotFound() {
  const t = useShellWords();
  return (
    <Box
      component="main"
      sx={{ minHeight: '100dvh', display: 'grid', placeContent: 'center', gap: 2, textAlign: 'center', p: 2 }}
    >
      <Typography variant="h1">{t('notFound.title')}</Typography>
      <Typography color="text.secondary">{t('notFound.hint')}</Typography>
      <Button component={Link} to="/home" variant="contained" sx={{ justifySelf: 'center' }}>
        {t('notFound.home')}
      </Button>
    </Box>
  );
}
