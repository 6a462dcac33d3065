// The values that an alarm's policy measured around it, with its limits, and when it fired.
import { ALERT_METRICS, type AlertMetricName } from '@gantry/contract/alerts/metrics.ts';
import type { AlarmDetailView } from '@gantry/contract/areas/alerts/alerts.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useMemo, useState } from 'react';
import { MetricPanel } from '../../parts/metrics/metric-panel.tsx';
import { useNow } from '../../parts/use-now.ts';
import { limitsOf, unitOf, windowAround } from './chart-marks.ts';

const EVERY_MS = 60_000;
const NO_RULES: readonly never[] = [];

/** Nothing where its values have no history: the platform knows some as they are now alone. */
export const AlarmChart = ({ alarm }: { alarm: AlarmDetailView }) =>
  ALERT_METRICS[alarm.metric as AlertMetricName]?.source === 'platform' ? null : <PastOfAlarm alarm={alarm} />;

function PastOfAlarm({ alarm }: { alarm: AlarmDetailView }) {
  const { id, strategy, metric, metric_label: title, object, first_abnormal_time: from, end_time: to } = alarm;
  const began = alarm.generation_time ?? from;
  const now = useNow(EVERY_MS, to === null);
  const [opened] = useState(() => Date.now());
  const nowMs = to === null ? now : Math.max(opened, Date.parse(to));
  const asked = windowAround(Date.parse(from), to === null ? undefined : Date.parse(to), nowMs);
  const { data } = useCall(CALLS.queryAlert, { params: { id }, body: asked }, { keepsPrevious: true });
  const { data: policy } = useCall(CALLS.getPolicy, { params: { id: strategy.id } });
  const rules = policy?.spec.rules ?? NO_RULES;
  const lines = useMemo(
    () => [{ name: object ?? title, points: (data?.points ?? []).map(([, value]) => value) }],
    [data, object, title],
  );
  const limits = useMemo(() => limitsOf(rules), [rules]);
  const spans = useMemo(
    () => [{ from: Date.parse(began), to: to === null ? nowMs : Date.parse(to) }],
    [began, to, nowMs],
  );
  const [first, second] = data?.points ?? [];
  if (!first || !second) return null;
  return (
    <MetricPanel
      title={title}
      unit={unitOf(metric)}
      start={new Date(first[0] * 1_000).toISOString()}
      step={second[0] - first[0]}
      lines={lines}
      limits={limits}
      spans={spans}
      onZoom={() => {}}
    />
  );
}
