import { expect, test } from '@jest/globals';
import { normalState } from './normal-state.ts';

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
