// Lines out of chunks that are cut anywhere, and bounded.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findInLog, MOST_FOUND, partsOf } from './find-in-log.ts';
import { LogLines, MOST_LETTERS, MOST_LINES } from './log-lines.ts';

const AT = '2026-11-23T10:00:00.123456789Z';
const bytes = (text: string) => new TextEncoder().encode(text);
function linesOf(...chunks: Uint8Array[]) {
  const lines = new LogLines();
  for (const chunk of chunks) lines.push(chunk);
  lines.end();
  return lines;
}
const textsOf = (lines: LogLines) => lines.all.map(({ text }) => text);

test('lines have their times, and colours that last', () => {
  const lines = linesOf(bytes(`${AT} a\n${AT} \u001b[31mb\n${AT} c\u001b[0m\nno time\n`));
  expect(lines.all).toEqual([
    { at: AT, text: 'a' },
    { at: AT, text: 'b', spans: [{ text: 'b', style: { color: 'var(--ansi-1)' } }] },
    { at: AT, text: 'c', spans: [{ text: 'c', style: { color: 'var(--ansi-1)' } }] },
    { at: null, text: 'no time' },
  ]);
  expect(lines.newest).toBe(AT);
});

test('a line that broke off comes once more, and is there once', () => {
  const lines = new LogLines();
  lines.push(bytes(`${AT} a\n2026-11-23T10:00:01.000000000Z ha`));
  lines.breakOff();
  lines.goOn();
  lines.push(bytes(`${AT} a\n2026-11-23T10:00:01.000000000Z half\n`));
  expect(textsOf(lines)).toEqual(['a', 'half']);
});

test('where it is read anew, lines that are there already are left out', () => {
  const at = (nano: number) => `2026-11-23T10:00:00.00000000${nano}Z`;
  const lines = linesOf(bytes(`${at(1)} a\n${at(2)} b\n`));
  lines.goOn();
  lines.push(bytes(`${at(1)} a\n${at(2)} b\n${at(3)} c\n${at(3)} d\n`));
  expect(textsOf(lines)).toEqual(['a', 'b', 'c', 'd']);
});

test('of a progress bar the last state counts', () => {
  expect(textsOf(linesOf(bytes(`${AT} 10 %\r20 %\r\n`)))).toEqual(['20 %']);
});

test('many carriage returns are read in one pass', async () => {
  // Types are a browser's here, and only Node can end a loop.
  const { runInNewContext } = await import('node:vm' as string);
  const many = bytes(`${AT} a\rb${'\r'.repeat(1_000_000)}\n${AT} ${'\r'.repeat(1_000_000)}c\n`);
  // Looking at each again from each takes minutes.
  const limits = { timeout: 30_000 };
  expect(runInNewContext('read()', { read: () => textsOf(linesOf(many)) }, limits)).toEqual(['b', 'c']);
});

test('invalid UTF-8 is shown as what cannot be read', () => {
  expect(textsOf(linesOf(new Uint8Array([0xff, 0x41, 10])))).toEqual(['\ufffdA']);
});

test('a line without an end is shown in pieces', () => {
  const lines = linesOf(bytes(`${AT} ${'x'.repeat(3 * MOST_LETTERS)}`), bytes('y\n'), bytes(`${AT} next\n`));
  expect(Math.max(...textsOf(lines).map(({ length }) => length))).toBe(MOST_LETTERS);
  expect(textsOf(lines).join('')).toBe(`${'x'.repeat(3 * MOST_LETTERS)}ynext`);
  expect(lines.all.filter(({ at }) => at === AT)).toHaveLength(2);
});

test('of very many lines the newest are kept', () => {
  const lines = new LogLines();
  for (let at = 0; at < 25; at++) lines.push(bytes(`${at}\n`.repeat(10_000)));
  expect(lines.all.length).toBeLessThan(MOST_LINES + 10_000);
  expect(lines.all.length).toBeGreaterThanOrEqual(MOST_LINES);
  expect(lines.all.length + lines.dropped).toBe(250_000);
  expect(lines.all.at(-1)?.text).toBe('24');
});

test('however the bytes are cut, the lines are the same', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.array(fc.nat(500), { maxLength: 6 }),
      (text, cuts) => {
        const whole = bytes(`${AT} ${text}\n${text}`);
        const places = [0, ...cuts.map((cut) => cut % whole.length).sort((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((end, index) => whole.subarray(places[index], end));
        expect(linesOf(...chunks).all).toEqual(linesOf(whole).all);
      },
    ),
  );
});

test('a text is found in any case, and marked over the borders of colours', () => {
  const { all } = linesOf(bytes('an Er\u001b[31mRor, an error\n'));
  expect(findInLog(all, 'error')).toEqual([
    { line: 0, from: 3 },
    { line: 0, from: 13 },
  ]);
  const parts = partsOf(all[0] ?? { at: null, text: '' }, 'error');
  expect(parts.map(({ text, found }) => [text, found])).toEqual([
    ['an ', undefined],
    ['Er', 3],
    ['Ror', 3],
    [', an ', undefined],
    ['error', 13],
  ]);
});

test('nothing is found for nothing, and of very much only so much', () => {
  const { all } = linesOf(bytes('aaaa\n'.repeat(5_000)));
  expect(findInLog(all, '')).toEqual([]);
  expect(findInLog(all, 'a')).toHaveLength(MOST_FOUND);
});

test('parts are the text, whatever is searched for', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 });
  fc.assert(
    fc.property(text, text, (line, wanted) => {
      const { all } = linesOf(bytes(`${line}\n`));
      for (const each of all)
        expect(
          partsOf(each, wanted)
            .map((part) => part.text)
            .join(''),
        ).toBe(each.text);
    }),
  );
});
