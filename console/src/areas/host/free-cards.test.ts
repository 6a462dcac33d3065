// How a host's free cards are described.
import { Words } from '@gantry/ui/i18n/words.ts';
import { expect, test } from '@jest/globals';
import { freeCards } from './free-cards.ts';
import { words as english } from './words/en.ts';

const words = new Words('en');
words.add('host', english);
const t = words.of<typeof english>('host');

test.each([
  ['an active host tells its free cards', 'active', '1 of 2 free · nodes: 1'],
  ['one that waits has none to give', 'inactive', '– of 2 free, not active · nodes: 1'],
] as const)('%s', (_, status, text) => {
  expect(freeCards({ status, gpu_free: 1, gpu_count: 2, node_count: 1 }, t)).toBe(text);
});
