// What a job's page shows of what its program logs.
import type { TrainingCurveView } from '@gantry/contract/fields/training-curve.ts';
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { words as curves } from '../../../parts/curves/words/en.ts';
import { words as parts } from '../../../parts/words/en.ts';

const drawn = jest.fn<(lines: readonly { name: string }[]) => null>();
jest.unstable_mockModule('@gantry/ui/chart/chart.tsx', () => ({
  Chart: ({ lines }: { lines: Parameters<typeof drawn>[0] }) => drawn(lines) ?? null,
}));
const { JobCurve } = await import('./job-curve.tsx');

const time = '2026-12-01T00:00:00Z';
const point = (step: number, more: object = {}) => ({
  ...{ step, run: 1, epoch: null, loss: 3 - step, eval_loss: null, learning_rate: null, grad_norm: null },
  ...{ tokens: null, tokens_per_second: null, is_broken: false, time },
  ...more,
});
const LOGGED: NonNullable<TrainingCurveView['logged']> = {
  params: [{ name: 'lr', value: '<b>0.1</b>' }],
  tags: [],
  metrics: [{ name: 'accuracy', value: 0.5, step: 2 }],
  artifacts: [{ name: 'model.bin', size_bytes: 2048 }],
};

playLayout();
const fetched = playNetwork();
let curve: TrainingCurveView;
beforeEach(() => {
  drawn.mockClear();
  curve = { points: [], of: null, runs: [], logged: null };
  fetched.mockImplementation(async () => answerOf(curve));
});
const open = () =>
  render(<JobCurve job={{ id: 'job-1', end_time: time } as JobView} />, { wrapper: appAround({ parts, curves }) });

test('a run whose program has logged nothing says so', async () => {
  open();
  expect(await screen.findByText(curves.logged.none)).toBeTruthy();
  expect(String(fetched.mock.calls[0]?.[0])).toMatch(/deploy\/v1\/job\/job-1\/curve$/);
});

test('what a program of a job has logged is a table of texts, and its losses are a curve', async () => {
  curve = {
    ...curve,
    points: [point(1), point(2, { eval_loss: 2 })],
    runs: [{ run: 1, resumed_from: null }],
    logged: LOGGED,
  };
  open();
  const cells = within(await screen.findByRole('table', { name: curves.logged.title })).getAllByRole('cell');
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    ...['accuracy', 'Metric', '0.5 at step 2', 'lr', 'Parameter', '<b>0.1</b>', 'model.bin', 'Artifact', '2.00 KiB'],
  ]);
  await waitFor(() => expect(drawn).toHaveBeenCalled());
  const charts = drawn.mock.calls.map(([lines]) => lines.map(({ name }) => name).join());
  expect([...new Set(charts)]).toEqual(['Loss,Evaluation loss']);
});
