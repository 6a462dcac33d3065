// Downloads on their way.
import { bytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useStorageWords } from '../use-storage-words.ts';
import type { Download } from './use-downloads.ts';

export function DownloadList({ downloads }: { downloads: readonly Download[] }) {
  const t = useStorageWords();
  const ui = useUiWords();
  return downloads.map(({ number, name, size, received, cancel }) => {
    const label = t('transfer.downloading', { name });
    return (
      <Paper key={number} variant="outlined" sx={{ p: 2, mb: 2 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
          <Typography variant="body2" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            {label} · {bytesText(received)} / {bytesText(size)}
          </Typography>
          <Button size="small" onClick={cancel}>
            {ui('actions.cancel')}
          </Button>
        </Box>
        <LinearProgress
          variant="determinate"
          value={size === 0 ? 100 : Math.min(100, (received / size) * 100)}
          aria-label={label}
          sx={{ mt: 1 }}
        />
      </Paper>
    );
  });
}
