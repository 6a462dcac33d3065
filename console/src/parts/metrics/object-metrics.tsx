// The dashboard of one object, on its page: what each of its Pods or nodes has used.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { MONITOR_KINDS, type MonitorType, OBJECT_METRIC_NAMES } from '@gantry/contract/monitor/metrics.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { MetricPanels } from './metric-panels.tsx';
import { MomentLinks } from './moment-links.tsx';
import { useMetricsWords } from './use-metrics-words.ts';
import { useWindow } from './use-window.ts';
import { WindowBar } from './window-bar.tsx';

export function ObjectMetrics({ type, id }: { type: MonitorType; id: string }) {
  const t = useMetricsWords();
  const window = useWindow();
  const body = { metrics: OBJECT_METRIC_NAMES, type, object: id, ...window.asked };
  const answer = useCall(CALLS.monitorPodQuery, { body }, { keepsPrevious: true });
  return (
    <>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', justifyContent: 'flex-end', mb: 2 }}>
        <Guarded node="createPolicy">
          <Button component={Link} to={alertOn(type, id)}>
            {t('alert')}
          </Button>
        </Guarded>
        <WindowBar window={window} />
      </Box>
      <MomentLinks window={window} type={type} ids={[id]} />
      <Box sx={{ mb: 3 }}>
        <MetricPanels answer={answer} window={window} />
      </Box>
    </>
  );
}

/** A new policy on this object; hosts have no metric of cards to watch. */
const alertOn = (type: MonitorType, id: string): string =>
  `/monitor/policy/create?${new URLSearchParams({
    template: type === 'host' ? 'failedJob' : 'hotGpu',
    kind: MONITOR_KINDS[type],
    names: id,
  })}`;
