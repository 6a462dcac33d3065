// The operators' home: the parts that the reader has, nothing personal on a wall, and no zero where nobody knows.
import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import { playAnswers } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { staffAround } from '../testing/played-staff.tsx';
import { HomePage } from './home-page.tsx';

const { answer } = playAnswers();
const CALL = 'GET /api/admin/overview';

const hours = Array.from({ length: 24 }, (_, index) => ({
  at: new Date(Date.UTC(2026, 10, 25, index)).toISOString(),
  starts: index < 20 ? null : index - 20,
  failures: index < 20 ? null : 0,
}));

const OVERVIEW: Overview = {
  computing: {
    gpus: [{ model: 'Tesla-T4', name: 'NVIDIA Tesla T4', total: 8, used: 3, free: 2, broken: 1, reserved: 2 }],
    requested: [
      { resource: 'gpu', amount: 3, of: 7 },
      { resource: 'cpu', amount: 0, of: 0 },
    ],
    measured: null,
    hours,
    waits: [
      {
        resource: 'instances',
        id: 'org-acme.ins-1',
        name: '<b>Alice’s</b> secret',
        organization_id: 'acme',
        phase: 'preparing',
        phase_label: 'Preparing',
        since: '2026-11-25T00:00:00Z',
        reason: 'ImageNotFound',
        said: 'The image ghcr.io/alice/private cannot be pulled.',
        is_public: false,
      },
      {
        resource: 'hosts',
        id: 'org-acme.hst-1',
        name: 'big',
        organization_id: 'acme',
        phase: 'pending',
        phase_label: 'Pending',
        since: '2026-11-25T01:00:00Z',
        reason: 'WaitingForNodes',
        said: 'Needs 2 nodes.',
        is_public: true,
      },
    ],
    waiting: 12,
  },
  revenue: [
    {
      currency: 'USD',
      today: '12.50',
      today_before: '0.00',
      month: '90.00',
      month_before: '100.00',
      month_by_credits: '4.00',
      since: '2026-11-25T00:00:00Z',
    },
  ],
  organizations: { total: 41, newest: [{ id: 'q7d8ezzz', name: 'alice.lidell', created_at: '2026-11-25T00:00:00Z' }] },
  alarms: [{ name: 'nodeLost', count: 2, what: 'node-a', since: '2026-11-25T00:00:00Z' }],
  tenants_firing: 3,
  stale_since: null,
};

const shown = (path = '/home') => render(<HomePage />, { wrapper: staffAround({ path }) });
const titles = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

describe('the home page', () => {
  beforeEach(() => {
    answer(CALL, { body: OVERVIEW });
    answer('GET /api/admin/names?organizations=acme', {
      body: { accounts: {}, organizations: { acme: 'Acme Robotics' } },
    });
  });

  test('shows each part as text, whatever a tenant wrote', async () => {
    shown();
    const waits = await screen.findByRole('region', { name: 'Longest waits' });
    const link = within(waits).getByRole('link', { name: '<b>Alice’s</b> secret' });
    expect(link.getAttribute('href')).toBe('/manage/computing/instances/org-acme.ins-1/show');
    expect((await within(waits).findAllByText('Acme Robotics'))[0]?.textContent).toBe('Acme Roboticsacme');
    expect(within(waits).getByText(/ghcr.io\/alice\/private/)).toBeTruthy();
    expect(within(waits).getByText('12 are waiting')).toBeTruthy();
    expect(within(waits).getByTitle('2026-11-25 00:00:00 UTC')).toBeTruthy();
    const gpus = screen.getByRole('region', { name: 'GPUs' });
    expect(within(gpus).getByRole('img', { name: /3 used, 2 free, 2 reserved, 1 broken, of 8/ })).toBeTruthy();
  });

  test('on a wall there are no names, and only sentences of the platform’s own', async () => {
    const { container } = shown('/home?wall=1');
    const waits = await screen.findByRole('region', { name: 'Longest waits' });
    expect(container.textContent).not.toMatch(/alice|secret|lidell|ghcr/i);
    expect(within(waits).getByText('Preparing')).toBeTruthy();
    expect(within(waits).getByText('Pending – Needs 2 nodes.')).toBeTruthy();
    // An ID says nothing to who passes by.
    expect(container.textContent).not.toMatch(/q7d8ezzz|acme/i);
    expect(within(waits).queryByText('Organisation')).toBeNull();
    expect(within(waits).queryAllByRole('link')).toEqual([]);
  });

  test('what nobody knows is no zero', async () => {
    shown();
    const usage = await screen.findByRole('region', { name: 'Utilisation' });
    const [, gpu, cpu] = within(usage).getAllByRole('row');
    expect(
      within(gpu as HTMLElement)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['43% 3 of 7', 'no data']);
    expect(
      within(cpu as HTMLElement)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['no data', 'no data']);
    const table = within(screen.getByRole('region', { name: /Starts and failures/ })).getByRole('table');
    const cells = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      );
    expect([cells[0], cells[20], cells[23]]).toEqual([
      ['no data', 'no data'],
      ['0', '0'],
      ['3', '0'],
    ]);
    // Against nothing there is no percentage.
    const revenue = screen.getByRole('region', { name: 'Revenue' });
    expect(within(revenue).getByText('Same day last month, up to this time: $0.00')).toBeTruthy();
    expect(within(revenue).getByText(/Last month, up to this time: \$100.00 · 10% less/)).toBeTruthy();
  });

  test('a button leads to the wall and back', async () => {
    shown();
    await userEvent.click(await screen.findByRole('button', { name: 'Wallboard' }));
    expect(screen.getByTestId('here').textContent).toBe('/home?wall=1');
    await userEvent.click(screen.getByRole('button', { name: 'Leave wallboard' }));
    expect(screen.getByTestId('here').textContent).toBe('/home');
  });
});

test('parts of other menus are not there', async () => {
  answer(CALL, { body: { ...OVERVIEW, computing: null, organizations: null } });
  shown();
  await screen.findByRole('region', { name: 'Revenue' });
  expect(titles()).toEqual(['Revenue', 'Alarms']);
});

test('a refusal is told, and so is a cluster that is not heard', async () => {
  answer(CALL, { status: 503, body: { code: 50301, error: 'unavailable', message: 'Try again.', request_id: 'r' } });
  shown();
  expect((await screen.findByRole('alert')).textContent).toContain('Try again.');
});

test('stale data says since when', async () => {
  answer(CALL, { body: { ...OVERVIEW, stale_since: '2026-11-25T03:00:00Z' } });
  shown();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toMatch(/^The cluster has not reported since 2026-11-2\d \d\d:\d\d:\d\d: data/);
  expect(within(alert).getByTitle('2026-11-25 03:00:00 UTC')).toBeTruthy();
});
