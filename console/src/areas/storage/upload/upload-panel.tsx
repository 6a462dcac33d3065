// Uploads on their way: how far, how fast, how long still, and what to do about each.
import { bytesText } from '@gantry/ui/format/size.ts';
import { countdownText } from '@gantry/ui/format/time.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useStorageWords } from '../use-storage-words.ts';
import type { UploadRow as Upload } from './upload-queue.ts';
import { UploadRow } from './upload-row.tsx';
import { useUploads } from './use-uploads.ts';

const MOST_SHOWN = 50;
const RANK = { asks: 0, failed: 1, retrying: 2, sending: 3, paused: 4, waiting: 5, done: 6 } as const;

export function UploadPanel() {
  const t = useStorageWords();
  const { queue, rows } = useUploads();
  if (rows.length === 0) return null;
  const total = totalOf(rows);
  const shown = rows.toSorted((a, b) => RANK[a.state] - RANK[b.state]).slice(0, MOST_SHOWN);
  const percent = total.size === 0 ? 100 : (total.sent / total.size) * 100;
  return (
    <Paper variant="outlined" component="section" aria-label={t('transfer.label')} sx={{ p: 2, mb: 2 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <Typography variant="h3" component="h2">
          {t('transfer.label')}
        </Typography>
        <Typography variant="body2" color="text.secondary" role="status">
          {t('transfer.summary', { done: total.done, all: rows.length })}
        </Typography>
        <Typography variant="body2" color="text.secondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {bytesText(total.sent)} / {bytesText(total.size)}
          {total.speed > 0 && ` · ${t('transfer.speed', { speed: bytesText(total.speed) })}`}
          {total.speed > 0 &&
            ` · ${t('transfer.left', { time: countdownText(((total.size - total.sent) / total.speed) * 1000) })}`}
        </Typography>
        {total.done > 0 && (
          <Button size="small" sx={{ ml: 'auto' }} onClick={() => queue.clearDone()}>
            {t('transfer.clear')}
          </Button>
        )}
      </Box>
      <LinearProgress variant="determinate" value={percent} aria-label={t('transfer.label')} sx={{ my: 1 }} />
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, maxHeight: '18rem', overflow: 'auto' }}>
        {shown.map((row) => (
          <UploadRow key={row.id} row={row} queue={queue} />
        ))}
      </Box>
      {rows.length > MOST_SHOWN && (
        <Typography variant="body2" color="text.secondary">
          {t('transfer.more', { smart_count: rows.length - MOST_SHOWN })}
        </Typography>
      )}
      {total.done < rows.length && (
        <Typography variant="caption" component="p" color="text.secondary" sx={{ mt: 1 }}>
          {t('transfer.again')}
        </Typography>
      )}
    </Paper>
  );
}

const totalOf = (rows: readonly Upload[]) => ({
  size: rows.reduce((sum, { size }) => sum + size, 0),
  sent: rows.reduce((sum, { sent }) => sum + sent, 0),
  speed: rows.reduce((sum, { bytesPerSecond }) => sum + bytesPerSecond, 0),
  done: rows.filter(({ state }) => state === 'done').length,
});
