// A menu whose kind does not exist yet says what will be there.
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Typography from '@mui/material/Typography';
import type { words as english } from '../words/en/shell.ts';

export function LaterPage() {
  const t = useAreaWords<typeof english>('shell');
  return <Typography sx={{ py: 2 }}>{t('later.portal')}</Typography>;
}
