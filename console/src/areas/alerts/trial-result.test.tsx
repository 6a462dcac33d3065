// The last seven days of a policy: its values, its limits, and when it would have fired, drawn and in words.
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround, playAnswers, playedRefusal, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { words as metrics } from '../../parts/metrics/words/en.ts';
import { EMPTY_POLICY } from './policy-values.ts';
import { words } from './words/en.ts';

const drawn = jest.fn();
jest.unstable_mockModule('@gantry/ui/chart/chart.tsx', () => ({
  Chart: (props: object) => {
    drawn(props);
    return null;
  },
}));
const { TrialResult } = await import('./trial-result.tsx');
const { AlarmChart } = await import('./alarm-chart.tsx');

playLayout();
const { answer, bodies } = playAnswers();
const wrapper = () => ({ wrapper: appAround({ alerts: words, metrics }) });
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
beforeEach(() => {
  drawn.mockReset();
});

test('the values, the limit and the firing times are drawn, and stand in a table', async () => {
  const group = { gpu: '0' };
  const result = {
    ...{ start_time: at(0), end_time: at(30), step: 600 },
    alarms: [
      { object: 'ins-1', group, start_time: at(0), end_time: at(10) },
      { object: 'ins-1', group, start_time: at(20), end_time: null },
    ],
    series: [{ object: 'ins-1', group, points: [90, null, 91] }],
  };
  render(<TrialResult result={result} tried={EMPTY_POLICY} />, wrapper());
  screen.getByText('It would have fired 2 times.');
  await waitFor(() =>
    expect(drawn).toHaveBeenLastCalledWith(
      expect.objectContaining({
        places: expect.objectContaining({ values: [0, 10, 20].map((minute) => Date.parse(at(minute))) }),
        limits: [85],
        lines: [{ name: 'ins-1 gpu=0', points: [90, null, 91] }],
        spans: [
          { from: Date.parse(at(0)), to: Date.parse(at(10)) },
          { from: Date.parse(at(20)), to: Date.parse(at(30)) },
        ],
      }),
    ),
  );
  const rows = within(screen.getByRole('table', { name: words.form.testAlarms }))
    .getAllByRole('row')
    .slice(1);
  expect(rows.map(({ textContent }) => textContent?.includes('now'))).toEqual([false, true]);
});

const alarm = {
  ...{ id: 'alm-1', status: 'resolved' as const, status_label: '', level: 'Warning' as const, level_label: '' },
  ...{ strategy: { id: 'alp-1', name: 'hot' }, metric: 'GpuTemperature', metric_label: 'GPU temperature' },
  ...{ kind: 'GpuInstance', object: 'ins-1', group: {}, value: 90, content: '', records: [] },
  ...{ first_abnormal_time: at(60), generation_time: at(61), end_time: at(70) },
  ...{ duration_seconds: 600, shielded_until: null },
};
const QUERY = 'POST /api/monitor/v1/alert/events/alm-1/query';

test('an alarm shows its value around it, with the limit of its policy and the time that it fired', async () => {
  const start = Date.parse(at(30)) / 1_000;
  answer(
    QUERY,
    playedResult({
      points: [
        [start, 70],
        [start + 15, 90],
      ],
    }),
  );
  const spec = { objects: { kind: 'GpuInstance' }, rules: [{ compare: 'Above', value: 85 }] };
  answer('GET /api/monitor/v1/alert/policies/alp-1', playedResult({ id: 'alp-1', spec }));
  render(<AlarmChart alarm={alarm} />, wrapper());
  await waitFor(() =>
    expect(drawn).toHaveBeenLastCalledWith(
      expect.objectContaining({
        places: expect.objectContaining({ values: [start * 1_000, start * 1_000 + 15_000] }),
        ...{ limits: [85], lines: [{ name: 'ins-1', points: [70, 90] }] },
        spans: [{ from: Date.parse(at(61)), to: Date.parse(at(70)) }],
      }),
    ),
  );
  expect(bodies(QUERY)).toEqual([{ start, end: Date.parse(at(100)) / 1_000, step: 15 }]);
});

test('an alarm on what has no history has no chart, and asks for none', async () => {
  const { container } = render(<AlarmChart alarm={{ ...alarm, metric: 'CreditHours' }} />, wrapper());
  await Promise.resolve();
  expect([bodies(QUERY), container.textContent]).toEqual([[], '']);
});

test('an alarm whose values cannot be asked for any more has no chart', async () => {
  answer(QUERY, playedRefusal('monitor_away', 'no'));
  answer('GET /api/monitor/v1/alert/policies/alp-1', playedRefusal('not_found', 'gone'));
  const { container } = render(<AlarmChart alarm={alarm} />, wrapper());
  await waitFor(() => expect(bodies(QUERY)).toHaveLength(1));
  expect(container.textContent).toBe('');
});
