import { expect, test } from '@jest/globals';
import { countsByPhase, inOrderOfInterest } from './in-order-of-interest.ts';

const rows = (['stopped/neutral', 'running/good', 'starting/progress', 'failed/bad', 'running/good'] as const).map(
  (text, at) => {
    const [phase = '', tone = ''] = text.split('/');
    return { id: at, phase, phase_label: phase.toUpperCase(), tone: tone as 'good' };
  },
);

test('objects that need a person come first, resting ones are left out', () => {
  expect(inOrderOfInterest(rows).map(({ id }) => id)).toEqual([3, 1, 4, 2]);
});

test('phases are counted, in the same order, those at rest last', () => {
  expect(countsByPhase(rows).map(({ label, count }) => `${label} ${count}`)).toEqual([
    'FAILED 1',
    'RUNNING 2',
    'STARTING 1',
    'STOPPED 1',
  ]);
});

test('hibernated ones are not counted as shut down, although they share its phase', () => {
  const shared = (label: string) => ({ phase: 'shutDown', phase_label: label, tone: 'neutral' as const });
  expect(countsByPhase(['Hibernated', 'Shut down', 'Hibernated'].map(shared))).toMatchObject([
    { label: 'Hibernated', count: 2 },
    { label: 'Shut down', count: 1 },
  ]);
});
