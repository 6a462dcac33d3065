import { spec } from '@gantry/contract/kinds/fine-tune-schema.ts';
import { expect, test } from '@jest/globals';
import { trainingOf } from './recipe.ts';

const wanted = (changes: object = {}) =>
  spec.parse({
    base: { model: 'mdl-a', version: 'v1' },
    datasets: [{ dataset: 'dst-a' }],
    output: { name: 'Tuned' },
    creator: 'ana',
    ...changes,
  });
const base = (sha256 = 'aa') => ({ files: [{ path: 'model.safetensors', sha256, bytes: 1 }] });
const data = (sha256 = 'bb') => [{ parts: [{ sha256, bytes: 1 }] }];
const digest = (...of: Parameters<typeof trainingOf>) => trainingOf(...of);

test('a checkpoint is gone on from by the same training alone', () => {
  const first = digest(wanted(), base(), data());
  expect(digest(wanted({ retries: 1, maxRunMinutes: 5, displayName: 'Other' }), base(), data())).toBe(first);
  const others = [
    digest(wanted({ parameters: { rank: 8 } }), base(), data()),
    digest(wanted({ method: 'Full' }), base(), data()),
    digest(wanted({ datasets: [{ dataset: 'dst-a', weight: 2 }] }), base(), data()),
    digest(wanted({ columns: { prompt: 'q', answer: 'a' } }), base(), data()),
    digest(wanted(), base('ab'), data()),
    digest(wanted(), base(), data('bc')),
    digest(wanted({ freshCount: 1 }), base(), data()),
    digest(wanted({ freshCount: 2 }), base(), data()),
  ];
  expect(new Set([first, ...others]).size).toBe(others.length + 1);
});
