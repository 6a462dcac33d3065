// An upload on its way: how far, how fast, how long still, and why it ended early.
import { bytesText } from '@gantry/ui/format/size.ts';
import { countdownText } from '@gantry/ui/format/time.ts';
import Alert from '@mui/material/Alert';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import type { RunningUpload } from './running-uploads.ts';
import { useFilesWords } from './use-files-words.ts';

interface UploadProgressProps {
  label: string;
  /** What the server has, of how much it knows of. */
  received: number;
  size: number;
  /** Nothing says how far it is. */
  isOpen?: boolean;
  running: RunningUpload | undefined;
}

export function UploadProgress({ label, received, size, isOpen = false, running }: UploadProgressProps) {
  const t = useFilesWords();
  const whole = Math.max(size, running?.size ?? 0);
  const sent = Math.max(received, running?.sent ?? 0);
  const { bytesPerSecond: speed = 0, hashed, isAway = false, problem } = running ?? {};
  const parts = [
    t('progress', { sent: bytesText(sent), size: bytesText(whole) }),
    ...(hashed !== undefined && hashed < whole
      ? [t('hashing', { hashed: bytesText(hashed), size: bytesText(whole) })]
      : []),
    ...(speed > 0
      ? [
          t('speed', { speed: bytesText(Math.round(speed)) }),
          t('left', { time: countdownText(((whole - sent) / speed) * 1000) }),
        ]
      : []),
    ...(isAway ? [t('away')] : []),
  ];
  return (
    <>
      <LinearProgress
        variant={whole === 0 || isOpen ? 'indeterminate' : 'determinate'}
        value={whole === 0 ? 0 : (100 * sent) / whole}
        aria-label={label}
      />
      <Typography
        variant="body2"
        color="text.secondary"
        sx={{ my: 1, fontVariantNumeric: 'tabular-nums' }}
        role="status"
      >
        {parts.join(' · ')}
      </Typography>
      {problem !== undefined && <Alert severity="error">{problem}</Alert>}
    </>
  );
}
