import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import { expect, test } from '@jest/globals';
import { overdue } from './overdue.ts';
import { gpuInstance } from './testing/fixtures.ts';

const MINUTE = 60_000;
const said = (status: 'True' | 'False', reason: string): GpuInstanceStatus => ({
  conditions: [
    {
      type: 'CreditReserved',
      status,
      reason,
      message: '',
      observedGeneration: 1,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ],
});
const billed: GpuInstanceStatus = {
  intervals: [{ seq: 1, subjectUID: 'uid-pod-1', from: '2026-01-01T00:00:00Z', uses: [] }],
};
const rested = (power: GpuInstance['spec']['power']) => gpuInstance({ spec: { power } });

test.each<[what: string, owner: GpuInstance, failingMs: number, why: string | undefined]>([
  ['paid for and billed, its plan failing for a day', gpuInstance({ status: billed }), 24 * 60 * MINUTE, undefined],
  ['stopped', rested('Stopped'), 0, 'ended'],
  ['shut down', rested('ShutDown'), 0, 'ended'],
  ['hibernated', rested('Hibernated'), 0, 'ended'],
  ['with a power of a later version', rested('Napping' as 'Stopped'), 0, undefined],
  ['deleted', gpuInstance({ deleting: true }), 0, 'ended'],
  ['out of credit', gpuInstance({ status: { ...billed, ...said('False', 'OutOfCredit') } }), 0, 'ended'],
  [
    'out of credit, once ready',
    gpuInstance({ status: { everReady: true, ...said('False', 'OutOfCredit') } }),
    0,
    'ended',
  ],
  // Its plan leaves it alone as well: it costs nothing yet.
  ['out of credit and never used', gpuInstance({ status: said('False', 'OutOfCredit') }), 0, undefined],
  [
    'out of credit and never used, its plan failing for long',
    gpuInstance({ status: said('False', 'OutOfCredit') }),
    15 * MINUTE,
    'unbilled',
  ],
  ['at its spending cap', gpuInstance({ status: { ...billed, ...said('False', 'SpendCapReached') } }), 0, 'ended'],
  ['without a price yet', gpuInstance({ status: said('False', 'NoPrice') }), 0, undefined],
  ['of which billing says nothing', gpuInstance(), 0, undefined],
  ['whose use nobody wrote down, for a while', gpuInstance(), 14 * MINUTE, undefined],
  ['whose use nobody wrote down, for long', gpuInstance(), 15 * MINUTE, 'unbilled'],
  ['without a status or sound conditions', gpuInstance({ status: { conditions: [{}] } as never }), 0, undefined],
])('an instance %s', (_what, owner, failingMs, why) => {
  const run = { podUID: 'uid-pod-1', failingMs };
  expect(overdue(owner, run, { creditGate: 'required' })).toBe(why);
  const isAboutMoney = owner.metadata.deletionTimestamp === undefined && owner.spec.power === 'Running';
  expect(overdue(owner, run, { creditGate: 'off' })).toBe(isAboutMoney ? undefined : why);
});
