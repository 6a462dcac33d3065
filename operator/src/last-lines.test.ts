// A tenant's program may write anything: what is quoted of it is one short line that reads as itself.
import { MOST_LAST_LINES } from '@gantry/contract/fields/runs.ts';
import { expect, test } from '@jest/globals';
import { fc } from '../../test/support/seeded-fast-check.ts';
import { lastLines } from './last-lines.ts';

test.each([
  ['the last three of many', 'one\ntwo\nthree\nfour\n', 'two ⏎ three ⏎ four'],
  ['lines of Windows, and of a progress bar', 'a\r\n10 %\r20 %\r\n', 'a ⏎ 10 % ⏎ 20 %'],
  ['no blank lines', 'boom\n\n \t\n', 'boom'],
  ['no colours and no cursor', '\u001b[31;1mred\u001b[0m\u001b[2K \u001b]0;title\u0007ok\u001b(B', 'red ok'],
  ['no NUL and no bell', 'a\u0000b\u0007c', 'abc'],
  ['no marks that turn the direction', 'safe\u202egnp.exe\u2066', 'safegnp.exe'],
  ['a tab as a space', 'a\tb', 'a b'],
  ['nothing that our SSH server wrote', 'boom\nagent ssh: listening on [::]:22\n', 'boom'],
  ['nothing that runs a data task', 'agent task: the gateway is served at [::]:8092, the worker at x\nboom\n', 'boom'],
  ['nothing', '\u001b[0m\n\n', ''],
])('%s', (_what, written, quoted) => {
  expect(lastLines(written)).toBe(quoted);
});

test('a long line keeps its end', () => {
  const quoted = lastLines(`${'x'.repeat(5000)}the end`);
  expect(quoted).toHaveLength(MOST_LAST_LINES);
  expect(quoted).toMatch(/^…x+the end$/);
});

test('a pair of surrogates is kept whole or not at all', () => {
  expect(lastLines(`${'😀'.repeat(400)}.`)).toMatch(/^…(😀)+\.$/u);
});

test('whatever is written, it is short, has one line, and hides nothing', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3000 }),
    fc.string({ unit: 'grapheme', maxLength: 3000 }),
  );
  const hostile = fc.array(
    fc.constantFrom('\u001b[', '\u001b]', '31m', '\n', '\u202e', '\u0000', '\ud800', 'x', '%{lines}'),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        hostile.map((parts) => parts.join('')),
      ),
      (written) => {
        const quoted = lastLines(written);
        expect(quoted.length).toBeLessThanOrEqual(MOST_LAST_LINES);
        expect(quoted).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/u);
      },
    ),
  );
});
