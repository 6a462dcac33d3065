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
