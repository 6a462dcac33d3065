// The head of an object's page: one next step, what it uses now, and the line that leads to it.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { appAround, playAnswers, playedRefusal, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { KindPage } from '../kind-page.tsx';
import { taskLive, useTaskNext } from '../task/task-head.ts';
import { words as parts } from '../words/en.ts';
import { type Live, LiveStrip } from './live-strip.tsx';

const { answer, bodies } = playAnswers();
const QUERY = 'POST /api/monitor/v1/pod-query';
const GI = 2 ** 30;
const series = (metric: string, unit: string, ...points: (number | null)[][]) => ({
  ...{ metric, unit, shifted: null },
  series: points.map((each, at) => ({ object: `pod-${at}`, points: each })),
});
const measured = (...metrics: object[]) =>
  playedResult({ start: '2026-01-01T00:00:00Z', end: '2026-01-01T00:01:00Z', step: 60, warnings: [], metrics });
const price = { per: 'hour', amount: '2', list: '2', discount_percent: 0, currency: 'USD' } as const;
const live: Live = { type: 'job', hasGpu: true, cores: 16, memoryGi: 64, cost: '$1.50 USD', price };

describe('what an object uses now', () => {
  const shown = (one: Live) => render(<LiveStrip id="job-1" live={one} />, { wrapper: appAround({ parts }) });
  const cells = () =>
    [...screen.getByRole('region', { name: parts.head.live }).children].map(({ textContent }) => textContent);

  test('is the mean of its GPUs and the sum of its Pods, of what they have, with what it has cost', async () => {
    answer(
      QUERY,
      measured(
        series('gpu', 'percent', [10, 80], [20, 40]),
        series('gpu_memory', 'bytes', [GI, 2 * GI], [GI, GI]),
        series('cpu', 'cores', [1, 2.5], [1, null]),
        series('memory', 'bytes', [8 * GI, 16 * GI]),
      ),
    );
    shown(live);
    await screen.findByText('60%');
    expect(cells()).toEqual([
      ...['GPU60%', 'GPU memory3.00 GiB', 'CPU, in cores2.5 of 16', 'Memory16.00 GiB of 64 GiB'],
      'Cost of this run$1.50 USD',
    ]);
  });

  test('asks for no GPU where there is none', async () => {
    answer(QUERY, measured(series('cpu', 'cores', [1])));
    shown({ ...live, hasGpu: false });
    await screen.findByText('1 of 16');
    expect(bodies(QUERY)[0]).toMatchObject({ metrics: ['cpu', 'memory'], type: 'job', object: 'job-1' });
  });

  test('is an estimate of its cost until something is billed', async () => {
    answer(QUERY, measured());
    shown({ ...live, cost: null, since: new Date(Date.now() - 3_600_000).toISOString() });
    await screen.findByText('about $2.00');
  });

  test('is nothing where nobody measures and nothing is paid', async () => {
    answer(QUERY, playedRefusal('monitor_off', 'No Prometheus.'));
    shown({ ...live, cost: null, price: null });
    await waitFor(() => expect(bodies(QUERY)).toHaveLength(1));
    expect(screen.queryByRole('region')).toBeNull();
  });
});

describe('the next step', () => {
  const IMAGE = {
    ...{
      id: 'img-1',
      name: 'toolbox',
      phase: 'ready',
      phase_label: 'Ready',
      tone: 'neutral',
      reason: null,
      message: null,
    },
    conditions: [],
  };
  const action = (name: string) => ({ action: name, label: name, danger: 'none', spends: false });
  const open = (hasNext: boolean) => {
    const page = (
      <KindPage
        kind="image"
        read={CALLS.getImage}
        list="/develop/template"
        tabs={{ overview: () => null }}
        next={() => (hasNext ? { label: 'Open it', to: '/there' } : undefined)}
        line={() => ({ label: 'SSH', text: 'ssh img-1' })}
      />
    );
    const router = createMemoryRouter([{ path: '/develop/template/:id/:tab?', element: page }], {
      initialEntries: ['/develop/template/img-1'],
    });
    render(<RouterProvider router={router} />, { wrapper: appAround({ parts }) });
  };
  const primaries = () => [...document.querySelectorAll('.MuiButton-contained')].map(({ textContent }) => textContent);

  test('is the one primary button, a link, and the line to copy stands with the name', async () => {
    answer('GET /api/develop/v1/image/img-1', playedResult({ ...IMAGE, actions: [action('release')] }));
    open(true);
    const link = await screen.findByRole('link', { name: 'Open it' });
    expect([link.getAttribute('href'), primaries()]).toEqual(['/there', ['Open it']]);
    screen.getByRole('button', { name: 'Copy: SSH' });
  });

  test('is otherwise the first command, but never to edit', async () => {
    answer('GET /api/develop/v1/image/img-1', playedResult({ ...IMAGE, actions: [action('edit'), action('release')] }));
    open(false);
    await screen.findByRole('button', { name: 'edit' });
    expect(primaries()).toEqual([]);
  });
});

describe('a task', () => {
  const task = {
    id: 'job-1',
    runs: [{}],
    start_time: null,
    end_time: null,
    gpu: null,
    workers: 2,
  } as unknown as JobView;
  const sized = { ...task, spec: { cores: 2, memoryGi: 4 } } as unknown as JobView & {
    spec: { cores: number; memoryGi: number };
  };
  let next: ReturnType<typeof useTaskNext>;
  const Asks = () => {
    next = useTaskNext(({ id }) => `/deploy/job/${id}`);
    return null;
  };
  beforeEach(() => {
    render(<Asks />, { wrapper: appAround({ parts }) });
  });

  test('has a log once it was begun, and a result once it has made one', () => {
    expect(next({ ...task, runs: [] })).toBeUndefined();
    expect(next(task)).toEqual({ label: 'See log', to: '/deploy/job/job-1/logs' });
    expect(next(task, '/data/space/dst-1')).toEqual({ label: 'See result', to: '/data/space/dst-1' });
  });

  test('uses something between its start and its end', () => {
    const [start, end] = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z'];
    expect(taskLive('job', sized)).toBeUndefined();
    expect(taskLive('job', { ...sized, start_time: start })).toMatchObject({
      cores: 4,
      memoryGi: 8,
      hasGpu: false,
      since: start,
    });
    expect(taskLive('job', { ...sized, start_time: start, end_time: end })).toBeUndefined();
  });
});
