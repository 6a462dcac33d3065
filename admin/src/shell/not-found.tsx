// An address that leads nowhere, or to a menu that the person's roles do not open.
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import type { words as english } from '../words/en/shell.ts';

export function NotFound() {
  const t = useAreaWords<typeof english>('shell');
  return (
    <>
      <Typography variant="h1" gutterBottom>
        {t('notFound')}
      </Typography>
      <Button component={Link} to="/home" variant="outlined">
        {t('toHome')}
      </Button>
    </>
  );
}
