// While a disk's file server starts: explains the delay, and shows progress.
import LinearProgress from '@mui/material/LinearProgress';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useStorageWords } from '../use-storage-words.ts';

/** The usual duration. The bar slows down and never reaches the end: the files appear instead. */
const USUAL_MS = 12_000;
const EACH_MS = 250;
const MOST_PERCENT = 95;

export function PreparingNotice() {
  const t = useStorageWords();
  const [waitedMs, setWaited] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setWaited((waited) => waited + EACH_MS), EACH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Paper variant="outlined" sx={{ p: 3 }} role="status">
      <Typography variant="h3" component="p">
        {t('preparing.title')}
      </Typography>
      <Typography variant="body2" color="text.secondary" sx={{ my: 1 }}>
        {t('preparing.text')}
      </Typography>
      <LinearProgress
        variant="determinate"
        value={MOST_PERCENT * (1 - Math.exp((-2 * waitedMs) / USUAL_MS))}
        aria-label={t('preparing.title')}
      />
    </Paper>
  );
}
