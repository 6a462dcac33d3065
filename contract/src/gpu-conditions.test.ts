// Fatal GPU errors, as nodes report them.
import { expect, test } from '@jest/globals';
import { gpuFaultOf } from './gpu-conditions.ts';

const at = (minute: number) => `2026-11-27T09:${minute}:00Z`;
const node = (
  ...conditions: { type: string; status: string; reason?: string; message?: string; lastTransitionTime?: string }[]
) => ({
  status: { conditions },
});
const own = (minute: number, status = 'True') => ({ type: 'GpuFatalXid', status, lastTransitionTime: at(minute) });

test.each([
  ['no node', undefined, undefined],
  ['a sound node', node({ type: 'Ready', status: 'True' }, own(10, 'False')), undefined],
  [
    'the newest of several, in whichever order',
    node(
      own(10),
      { type: 'SysLogsXIDError', status: 'True', message: 'XID 79', lastTransitionTime: at(30) },
      { type: 'AcceleratedHardwareReady', status: 'False', reason: 'NvidiaXID48Error', lastTransitionTime: at(20) },
    ),
    { since: Date.parse(at(30)), detail: 'XID 79' },
  ],
  [
    'a reason where there is no message',
    node({ ...own(10), reason: 'Xid79' }),
    { since: Date.parse(at(10)), detail: 'Xid79' },
  ],
  [
    'one without a time is older than all',
    node({ type: 'GpuFatalXid', status: 'True' }),
    { since: Number.NEGATIVE_INFINITY, detail: 'GpuFatalXid' },
  ],
])('%s', (_, seen, fault) => {
  expect(gpuFaultOf(seen)).toEqual(fault);
});
