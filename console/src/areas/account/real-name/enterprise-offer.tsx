import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useAccountWords } from '../use-account-words.ts';

/** The consequences of becoming an enterprise, before starting. */
export function EnterpriseOffer({ onWanted }: { onWanted: () => void }) {
  const t = useAccountWords();
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
      <Alert severity="warning">{t('realName.enterprise.forEver')}</Alert>
      <Button variant="outlined" onClick={onWanted}>
        {t('realName.enterprise.begin')}
      </Button>
    </Box>
  );
}
