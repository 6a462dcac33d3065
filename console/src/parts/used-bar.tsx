// How much of something is used: empty is good, full is none left.
import LinearProgress from '@mui/material/LinearProgress';

const WHOLE = 100;

export function UsedBar({ used, total, label }: { used: number; total: number; label: string }) {
  return (
    <LinearProgress
      variant="determinate"
      aria-label={label}
      value={total <= 0 ? 0 : Math.min(WHOLE, Math.max(0, (used / total) * WHOLE))}
      sx={{ height: 6, borderRadius: 3, mt: 0.5 }}
    />
  );
}
