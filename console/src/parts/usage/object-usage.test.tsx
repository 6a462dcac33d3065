// The use of an object on its page: now, over the last hour, and the sentence shown if there is no data.
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { words as parts } from '../words/en.ts';
import { ObjectUsage } from './object-usage.tsx';

playLayout();
const fetched = playNetwork();
const GI = 2 ** 30;
const POINTS = 240;
const series = (name: string, unit: string, more: object = {}) => ({
  ...{ name, disk: null, unit, limit: null, now: null, points: [] as (number | null)[] },
  ...more,
});
const DISKS = {
  ...{ code: 0, message: 'ok', data: [{ id: 'dsk-1', name: 'datasets' }] },
  paginated: { page: 1, size: 100, total_num: 1, total_page: 1 },
};
const hour = (...newest: (number | null)[]) => [...Array<null>(POINTS - newest.length).fill(null), ...newest];

function open(answer: (part: string | null) => object, props: Partial<Parameters<typeof ObjectUsage>[0]> = {}) {
  const asked: URL[] = [];
  fetched.mockImplementation(async (input) => {
    const url = new URL(String(input), 'http://localhost');
    if (url.pathname === '/api/stor/v1/data-disk') return new Response(JSON.stringify(DISKS));
    asked.push(url);
    const part = url.searchParams.get('part');
    const view = { parts: ['main'], part: 'main', step_seconds: 15, end_time: '2026-11-24T02:00:00Z', series: [] };
    return new Response(JSON.stringify({ code: 0, message: 'ok', result: { ...view, ...answer(part) } }));
  });
  render(<ObjectUsage kind="gpuInstance" id="ins-1" {...props} />, { wrapper: appAround({ parts }) });
  return { asked, user: userEvent.setup() };
}
const region = (name: string) => within(screen.getByRole('region', { name }));

test('each series says what is used now, of how much, and over the last hour', async () => {
  const { asked } = open(() => ({
    series: [
      series('cpu', 'cores', { limit: 2, now: 0.5, points: hour(0.25, null, 0.5) }),
      series('memory', 'bytes', { limit: 4 * GI, now: GI, points: hour(GI / 2, GI) }),
      series('disk', 'bytes', { disk: 'dsk-1', limit: null, now: GI, points: hour(GI) }),
    ],
  }));
  await screen.findByText('0.5 of 2 cores (25%)');
  region(parts.usage.cpu).getByText('0.25 cores to 0.5 cores');
  region(parts.usage.memory).getByText('1.00 GiB of 4.00 GiB (25%)');
  await waitFor(() => region('Data disk datasets').getByText('1.00 GiB'));
  expect(asked.map(({ pathname, search }) => pathname + search)).toEqual(['/api/develop/v1/instance/ins-1/figures']);
});

test('missing data is said, and is no zero', async () => {
  open(() => ({
    series: [
      series('gpu', 'percent', { limit: 100 }),
      series('memory', 'bytes', { limit: GI }),
      series('cpu', 'cores', { points: hour(1, null) }),
    ],
  }));
  await waitFor(() => region(parts.usage.memory).getByText(parts.usage.noneInHour));
  // Which the object's metrics show.
  expect(screen.queryByRole('region', { name: parts.usage.gpu })).toBeNull();
  // It ran within the hour, and does no longer.
  region(parts.usage.cpu).getByText('No data');
});

test('a host of several nodes shows the one that is chosen', async () => {
  const nodes = ['node-a', 'node-b'];
  const { user } = open(
    (part) => ({
      parts: nodes,
      part: part ?? 'node-a',
      series: [series('root', 'bytes', { now: part === 'node-b' ? 2 * GI : GI })],
    }),
    { kind: 'gpuHost', isNodes: true },
  );
  await screen.findByText('1.00 GiB');
  await user.selectOptions(screen.getByLabelText(parts.usage.part), 'node-b');
  await screen.findByText('2.00 GiB');
  region(parts.usage.nodeRoot);
});

test('an object without parts says so', async () => {
  open(() => ({ parts: [], part: null }));
  await screen.findByText(parts.usage.nothing);
});
