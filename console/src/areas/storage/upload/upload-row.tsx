// One upload.
import { bytesText } from '@gantry/ui/format/size.ts';
import Close from '@mui/icons-material/Close';
import Pause from '@mui/icons-material/Pause';
import PlayArrow from '@mui/icons-material/PlayArrow';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { memo } from 'react';
import { folderOf, nameIn } from '../files/file-path.ts';
import { useStorageWords } from '../use-storage-words.ts';
import type { UploadRow as Upload, UploadQueue } from './upload-queue.ts';

export const UploadRow = memo(UploadRowOf);

function UploadRowOf({ row, queue }: { row: Upload; queue: UploadQueue }) {
  const t = useStorageWords();
  const name = nameIn(row.path);
  // In an uploaded folder, many files may have the same name.
  const folder = folderOf(row.path);
  const isGoing = row.state === 'sending' || row.state === 'waiting' || row.state === 'retrying';
  return (
    <Box component="li" sx={{ py: 1, borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="body2" noWrap title={row.path}>
            {name}
            {folder !== '/' && (
              <Typography component="span" variant="caption" color="text.secondary" sx={{ ml: 1 }}>
                {folder}
              </Typography>
            )}
          </Typography>
          <Typography variant="caption" component="div" color={row.state === 'failed' ? 'error' : 'text.secondary'}>
            <StateText row={row} />
          </Typography>
        </Box>
        {isGoing && (
          <IconButton size="small" aria-label={t('transfer.pause', { name })} onClick={() => queue.pause(row.id)}>
            <Pause fontSize="small" />
          </IconButton>
        )}
        {(row.state === 'paused' || row.state === 'failed' || row.state === 'retrying') && (
          <IconButton size="small" aria-label={t('transfer.resume', { name })} onClick={() => queue.resume(row.id)}>
            <PlayArrow fontSize="small" />
          </IconButton>
        )}
        {row.state !== 'done' && (
          <IconButton
            size="small"
            aria-label={t('transfer.cancel', { name })}
            onClick={() => void queue.cancel(row.id)}
          >
            <Close fontSize="small" />
          </IconButton>
        )}
      </Box>
      {row.state === 'asks' && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 0.5 }}>
          {/* Many files may ask at once: whoever only listens hears which one this is about. */}
          <Button
            size="small"
            variant="outlined"
            aria-label={`${t('transfer.replace')}: ${name}`}
            onClick={() => queue.answer(row.id, true, false)}
          >
            {t('transfer.replace')}
          </Button>
          <Button
            size="small"
            variant="outlined"
            aria-label={`${t('transfer.skip')}: ${name}`}
            onClick={() => queue.answer(row.id, false, false)}
          >
            {t('transfer.skip')}
          </Button>
          <Button size="small" onClick={() => queue.answer(row.id, true, true)}>
            {t('transfer.replaceAll')}
          </Button>
          <Button size="small" onClick={() => queue.answer(row.id, false, true)}>
            {t('transfer.skipAll')}
          </Button>
        </Box>
      )}
      <LinearProgress
        variant="determinate"
        value={row.size === 0 ? (row.state === 'done' ? 100 : 0) : (row.sent / row.size) * 100}
        color={row.state === 'failed' ? 'error' : row.state === 'done' ? 'success' : 'primary'}
        aria-label={name}
        sx={{ mt: 0.5 }}
      />
    </Box>
  );
}

function StateText({ row }: { row: Upload }) {
  const t = useStorageWords();
  const amount = `${bytesText(row.sent)} / ${bytesText(row.size)}`;
  switch (row.state) {
    case 'sending':
      return `${amount}${row.bytesPerSecond > 0 ? ` · ${t('transfer.speed', { speed: bytesText(row.bytesPerSecond) })}` : ''}`;
    case 'retrying':
      return row.isPreparing ? t('transfer.preparing') : t('transfer.retrying');
    case 'asks':
      return t('transfer.exists');
    case 'failed':
      return row.isFileChanged ? t('transfer.changed') : row.problem;
    case 'waiting':
    case 'paused':
    case 'done':
      return `${amount} · ${t(`transfer.${row.state}`)}`;
  }
}
