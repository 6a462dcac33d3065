// How far a proof of the books is.
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useBillingWords } from '../../parts/use-billing-words.ts';

export function ProofProgress({ proof: { done, total } }: { proof: { done: number; total: number } }) {
  const t = useBillingWords();
  const share = total > 0 ? Math.min(100, (done / total) * 100) : undefined;
  return (
    <Box role="status" sx={{ p: 2 }}>
      <Typography>{t('proof.running')}</Typography>
      <LinearProgress
        aria-label={t('proof.running')}
        sx={{ my: 1 }}
        {...(share === undefined ? {} : { variant: 'determinate', value: share })}
      />
      {total > 0 && <Typography color="text.secondary">{t('proof.progress', { done, total })}</Typography>}
    </Box>
  );
}
