// The dashboard of one object, on its page: what each of its Pods or nodes has used.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { type MonitorType, OBJECT_METRIC_NAMES } from '@gantry/contract/monitor/metrics.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import Box from '@mui/material/Box';
import { MetricPanels } from './metric-panels.tsx';
import { useWindow } from './use-window.ts';
import { WindowBar } from './window-bar.tsx';

export function ObjectMetrics({ type, id }: { type: MonitorType; id: string }) {
  const window = useWindow();
  const body = { metrics: OBJECT_METRIC_NAMES, type, object: id, ...window.asked };
  const answer = useCall(CALLS.monitorPodQuery, { body }, { keepsPrevious: true });
  return (
    <>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', justifyContent: 'flex-end', mb: 2 }}>
        <WindowBar window={window} />
      </Box>
      <MetricPanels answer={answer} window={window} />
    </>
  );
}
