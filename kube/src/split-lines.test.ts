import { expect, test } from '@jest/globals';
import { fc } from '../../test/support/seeded-fast-check.ts';
import { splitLines } from './split-lines.ts';

test('whatever way a text is cut into chunks, its lines come out whole', () => {
  const text = '{"a":"ü"}\n\n{"b":2}\n{"long":"漢字漢字"}\nrest';
  const bytes = Buffer.from(text);
  void fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
      const lines: string[] = [];
      const feed = splitLines((line) => lines.push(line.toString('utf8')));
      const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      for (const [index, end] of at.slice(1).entries()) feed(bytes.subarray(at[index], end));
      expect(lines).toEqual(['{"a":"ü"}', '{"b":2}', '{"long":"漢字漢字"}']);
    }),
  );
});
