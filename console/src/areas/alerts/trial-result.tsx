// The last seven days of a policy that is not saved: its values with their limits, and when it would have fired.
import type { ALERT_ROUTES } from '@gantry/contract/areas/alerts/alerts.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import Alert from '@mui/material/Alert';
import { useMemo } from 'react';
import { MetricPanel } from '../../parts/metrics/metric-panel.tsx';
import { PlainTable } from '../../parts/plain-table.tsx';
import { limitsOf, unitOf } from './chart-marks.ts';
import type { PolicyValues } from './policy-values.ts';
import { useAlertWords } from './use-alert-words.ts';
import { useMetricLabel } from './use-metric-label.ts';

export type Tried = Pick<PolicyValues, 'metric' | 'rules'>;
type Result = OutputOf<typeof ALERT_ROUTES.testPolicy>;
const MOST_ROWS = 50;

/** `ins-1 gpu=0`; empty where nothing tells it from others. */
const subjectOf = ({ object, group }: Pick<Result['series'][number], 'object' | 'group'>): string =>
  [...(object === null ? [] : [object]), ...Object.entries(group).map(([label, value]) => `${label}=${value}`)].join(
    ' ',
  );

export function TrialResult({ result, tried }: { result: Result; tried: Tried }) {
  const t = useAlertWords();
  const metricLabel = useMetricLabel();
  const { alarms, series, start_time: start, end_time: end, step } = result;
  const title = metricLabel(tried.metric === '' ? undefined : tried.metric);
  const lines = useMemo(
    () => series.map((one) => ({ name: subjectOf(one) || title, points: one.points })),
    [series, title],
  );
  const limits = useMemo(() => limitsOf(tried.rules), [tried]);
  const spans = useMemo(
    () => alarms.map(({ start_time: from, end_time: to }) => ({ from: Date.parse(from), to: Date.parse(to ?? end) })),
    [alarms, end],
  );
  const count = alarms.length;
  return (
    <>
      <Alert severity={count === 0 ? 'info' : 'warning'}>
        {count === 0 ? t('form.testNone') : t('form.testCount', { count, smart_count: count })}
      </Alert>
      <MetricPanel
        title={title}
        unit={unitOf(tried.metric)}
        start={start}
        step={step}
        lines={lines}
        limits={limits}
        spans={spans}
        onZoom={() => {}}
      />
      {count > 0 && (
        <PlainTable
          label={t('form.testAlarms')}
          rows={alarms.slice(0, MOST_ROWS)}
          keyOf={(alarm) => `${subjectOf(alarm)} ${alarm.start_time}`}
          columns={[
            { label: t('alarms.object'), cell: (alarm) => subjectOf(alarm) || '–' },
            { label: t('alarms.began'), cell: ({ start_time: from }) => timeText(from) },
            { label: t('alarms.ended'), cell: ({ end_time: to }) => (to === null ? t('form.testNow') : timeText(to)) },
          ]}
        />
      )}
    </>
  );
}
