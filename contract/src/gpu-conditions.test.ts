// Fatal GPU errors, as nodes report them.
import { expect, test } from '@jest/globals';
import { type CardFault, cardFaultsOf, cardFaultsText, gpuFaultOf, gpuFaultsOf } from './gpu-conditions.ts';
import { ANNOTATION } from './names.ts';

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

const annotated = (text: string, ...conditions: Parameters<typeof node>) => ({
  ...node(...conditions),
  metadata: { annotations: { [ANNOTATION.gpuFaults]: text } },
});
const card = (over: Partial<CardFault> = {}): CardFault => ({
  ...{ uuid: 'GPU-a', gpu: '3', xids: [79, 154], since: at(20), boot: 'boot-1', holders: ['org-acme/train-1'] },
  ...over,
});
const text = (...cards: CardFault[]) => cardFaultsText(cards) ?? '';
const pod = (name: string) => ({ metadata: { namespace: 'org-acme', name } });

test('a card’s fault affects who has it; a condition affects everybody there', () => {
  const detail = 'XID 79 (GPU has fallen off the bus) on GPU 3, GPU-a';
  const fault = { since: Date.parse(at(20)), detail, holders: ['org-acme/train-1'] };
  const both = annotated(text(card()), own(10));
  expect(gpuFaultsOf(both).map(({ since }) => since)).toEqual([at(20), at(10)].map((time) => Date.parse(time)));
  expect(gpuFaultOf(both, pod('train-1'))).toEqual(fault);
  expect(gpuFaultOf(both, pod('dev-1'))?.detail).toBe('GpuFatalXid');
  expect(gpuFaultOf(annotated(text(card())), pod('dev-1'))).toBeUndefined();
  const { holders: _, ...unnamed } = card();
  expect(gpuFaultOf(annotated(text(unnamed)), pod('dev-1'))?.detail).toBe(detail);
});

test('a card that staff cleared has no fault', () => {
  expect(gpuFaultsOf(annotated(text(card({ isCleared: true }))))).toEqual([]);
});

test.each(['', '{', '[]', 'null', '[{"uuid":"GPU-a"}]', `[${'['.repeat(9)}`])('%p is no mark of ours', (written) => {
  expect(cardFaultsOf(annotated(written))).toEqual([]);
});
