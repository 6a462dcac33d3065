// Records of replicas in words: who wanted them, and why.
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { RecordTable } from './scaling-records.tsx';
import { words as workload } from './words/en.ts';

playLayout();
const time = '2026-01-01T00:00:00Z';
const NOBODY = { account_name: null };
const CPU = { cause: 'CPU', cause_label: 'CPU use', value: 240.004 };
const IDLE = { cause: 'Idle', cause_label: 'Idle', value: null };
const NO_CAUSE = { cause: null, cause_label: null, value: null };

test('a change says from how many to how many, by whom, and what was measured', () => {
  const records = [
    { time, before: 1, replicas: 3, by: 'system' as const, ...CPU, ...NOBODY },
    { time, before: 3, replicas: 1, by: 'system' as const, ...IDLE, ...NOBODY },
    { time, before: 3, replicas: 0, by: 'manual' as const, ...NO_CAUSE, account_name: 'anna' },
    { time, before: 0, replicas: 3, by: 'manual' as const, ...NO_CAUSE, ...NOBODY },
    { time, before: null, replicas: 1, by: null, ...NO_CAUSE, ...NOBODY },
  ];
  render(<RecordTable records={records} />, { wrapper: appAround({ workload }) });
  const [, ...rows] = within(screen.getByRole('table')).getAllByRole('row');
  const cells = rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .slice(1)
      .map(({ textContent }) => textContent),
  );
  expect(cells).toEqual([
    ['1', '3', 'Automatic scaling', 'CPU use: 240'],
    ['3', '1', 'Automatic scaling', 'Idle'],
    ['3', '0', 'anna, manually', '–'],
    ['0', '3', 'Manual', '–'],
    ['–', '1', '–', '–'],
  ]);
});

test('where nothing is known there is no table', () => {
  render(<RecordTable records={[]} />, { wrapper: appAround({ workload }) });
  expect(screen.queryByRole('table')).toBeNull();
});
