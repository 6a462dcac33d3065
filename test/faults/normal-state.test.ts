import { expect, test } from '@jest/globals';
import { differences, normalState } from './normal-state.ts';

test('identities, versions, times and the name of the run are taken out; the rest stays', () => {
  const pod = {
    metadata: {
      name: 'run-1-0',
      uid: 'u',
      resourceVersion: '7',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'run-1': 'yes' },
    },
    status: { phase: 'Running', podIP: '10.0.0.1', startedAt: new Date(0), reason: undefined, ready: [true, null, 1] },
  };
  expect(normalState(pod, 'run-1', ['podIP'])).toEqual({
    metadata: { name: '<place>-0', creationTimestamp: '<time>', labels: { '<place>': 'yes' } },
    status: { phase: 'Running', startedAt: '<time>', ready: [true, null, 1] },
  });
});

test('of a history the newest state stays: others may have passed unseen', () => {
  const status = { phase: 'b', history: [{ phase: 'b' }, { phase: 'a' }] };
  expect(normalState({ status }, 'run-1')).toEqual({ status: { phase: 'b', history: [{ phase: 'b' }] } });
});

test('differences name the path and both sides', () => {
  const wanted = { phase: 'ready', left: [], kept: { a: 1 } };
  expect(differences({ phase: 'ready', left: ['x'], kept: { b: 1 } }, wanted)).toEqual([
    'left.0: "x" instead of nothing',
    'kept.b: 1 instead of nothing',
    'kept.a: nothing instead of 1',
  ]);
  expect(differences(wanted, wanted)).toEqual([]);
});
