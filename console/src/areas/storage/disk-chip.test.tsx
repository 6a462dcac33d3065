// The state of a disk that somebody has: it is mounted only where a run has it.
import { appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { DiskChip } from './disk-chip.tsx';
import { words as storage } from './words/en.ts';

playNetwork();

const by = (...waits: boolean[]) =>
  waits.map(
    (at_next_start) =>
      ({ kind: 'GpuInstance', id: 'ins-1', name: 'training', mount_path: '/data', at_next_start }) as const,
  );

test.each([
  ['in an instance', by(false), 'Mounted'],
  ['kept for one that has to be started anew', by(true), 'Reserved'],
  ['of many writers in one and kept for another', by(true, false), 'Mounted'],
])('a disk that is %s', (_, mounted_by, shown) => {
  const disk = { phase: 'mounted', phase_label: 'Mounted', tone: 'good', message: null, mounted_by } as const;
  render(<DiskChip disk={disk} />, { wrapper: appAround({ storage }) });
  expect(screen.getByText(/./, { selector: '[data-tone] > span' }).textContent).toBe(shown);
});

test.each([
  ['fails says so, whoever it is kept for', 'The volume is gone.', 'Inactive'],
  ['was just asked for is being made', null, 'Creating'],
])('one that %s', (_, message, shown) => {
  const disk = { phase: 'inactive', phase_label: 'Inactive', tone: 'bad', message, mounted_by: by(true) } as const;
  render(<DiskChip disk={disk} />, { wrapper: appAround({ storage }) });
  expect(screen.getByText(shown)).toBeTruthy();
});
