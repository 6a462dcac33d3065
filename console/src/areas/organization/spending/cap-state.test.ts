import { expect, test } from '@jest/globals';
import { type CapState, capState } from './cap-state.ts';

const rows: [string, string, string | null, CapState | undefined][] = [
  ['no cap has no state', '12.50', null, undefined],
  ['half of it', '5.00', '10.00', { percent: 50, is: 'open' }],
  ['four fifths should be known', '8.00', '10.00', { percent: 80, is: 'nearly' }],
  ['all of it', '10.00', '10.00', { percent: 100, is: 'reached' }],
  ['more than all is all', '11.00', '10.00', { percent: 100, is: 'reached' }],
  ['a cap of nothing is reached at once', '0.00', '0.00', { percent: 100, is: 'reached' }],
  ['what was paid back is none', '-1.00', '10.00', { percent: 0, is: 'open' }],
];

test.each(rows)('%s', (_, spent, cap, state) => {
  expect(capState(spent, cap)).toEqual(state);
});
