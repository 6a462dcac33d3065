// The links that lead on from a spike: the logs of the objects shown and their states at the chosen time.
import { MONITOR_KINDS, type MonitorType } from '@gantry/contract/monitor/metrics.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { objectPath } from '../object-path.ts';
import { useMetricsWords } from './use-metrics-words.ts';
import type { Window } from './use-window.ts';

interface MomentLinksProps {
  window: Window;
  type: MonitorType;
  ids: readonly string[];
  /** Absent: they need no names. */
  nameOf?: (id: string) => string;
}

/** Nothing while no time was chosen. */
export function MomentLinks({ window, type, ids, nameOf }: MomentLinksProps) {
  const t = useMetricsWords();
  if (!window.isZoomed) return null;
  const { start, end } = window.asked;
  const at = `?${new URLSearchParams({ from: `${Date.parse(start)}`, to: `${Date.parse(end)}` })}`;
  return (
    <Alert severity="info" sx={{ mb: 2 }}>
      {t('moment', { start: timeText(start), end: timeText(end) })}
      {ids.map((id) => {
        const page = objectPath(`${MONITOR_KINDS[type]}/${id}`);
        const tabs = type === 'host' ? (['history'] as const) : (['logs', 'history'] as const);
        return (
          <Box key={id} sx={{ display: 'flex', columnGap: 2, flexWrap: 'wrap' }}>
            {nameOf && <span>{nameOf(id)}:</span>}
            {tabs.map((tab) => (
              <Link key={tab} component={RouterLink} to={`${page}/${tab}${at}`}>
                {t(`momentTabs.${tab}`)}
              </Link>
            ))}
          </Box>
        );
      })}
    </Alert>
  );
}
