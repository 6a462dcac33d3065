// Statuses of an instance at several points of its life, and the ended Pod of its first run.
import type { GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import { at, pod } from './fixtures.ts';

/** Ready once, and running. */
export const ran: GpuInstanceStatus = {
  phase: 'running',
  everReady: true,
  rebootCount: 0,
  run: { seq: 1, cause: 'first', readyAt: at(6) },
};
/** At rest after its first run. */
export const rested = (settledPower: string, more: GpuInstanceStatus = {}): GpuInstanceStatus => ({
  ...ran,
  settledPower,
  run: { seq: 1, cause: 'first', readyAt: at(6), endedAt: at(60) },
  ...more,
});
/** On its second run, which is not Ready. */
export const next = (cause: 'crash' | 'resume' | 'restore', more: GpuInstanceStatus = {}): GpuInstanceStatus => ({
  ...ran,
  run: { seq: 2, cause },
  ...more,
});
/** A container that ran from second 5 to second 60. */
const ENDED = { terminated: { exitCode: 1, startedAt: at(5), finishedAt: at(60), reason: 'Error' } };
export const ended = (more: Parameters<typeof pod>[1] = {}) => pod('finished', { main: ENDED, ...more });
/** Ended by us. */
export const stopped = ended({ deadline: 1 });
