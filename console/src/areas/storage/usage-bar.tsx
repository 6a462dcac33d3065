// A disk's usage at the last measurement; an unmeasured disk shows no bar, and never 0.
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { bytesText, gibibytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useStorageWords } from './use-storage-words.ts';

/** From here on it is time to make the disk larger. */
const NEARLY_FULL_PERCENT = 90;

type Measured = Pick<DiskView, 'name' | 'size_gi' | 'used_bytes' | 'total_bytes' | 'measured_time'>;

export function UsageBar({ disk }: { disk: Measured }) {
  const t = useStorageWords();
  const { used_bytes: used, total_bytes: total, measured_time: at } = disk;
  if (used === null || !total)
    return (
      <Box>
        <Typography variant="body2" component="span">
          {gibibytesText(disk.size_gi)}
        </Typography>
        <Typography variant="caption" component="div" color="text.secondary" noWrap>
          {t('list.unmeasured')}
        </Typography>
      </Box>
    );
  const percent = Math.min(100, (used / total) * 100);
  const text = t('list.of', { used: bytesText(used), total: gibibytesText(disk.size_gi) });
  return (
    <Tooltip title={t('list.measured', { time: timeText(at) })} describeChild>
      <Box sx={{ minWidth: '8rem' }}>
        <Typography variant="body2" component="div" noWrap>
          {text}
        </Typography>
        <LinearProgress
          variant="determinate"
          value={percent}
          color={percent >= NEARLY_FULL_PERCENT ? 'warning' : 'primary'}
          aria-label={`${disk.name}: ${text}`}
          sx={{ height: 6, borderRadius: 3, mt: 0.5 }}
        />
      </Box>
    </Tooltip>
  );
}
