// Lines of a log, however they arrive: cut anywhere, with any bytes in them, without an end.

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { fc } from '../../../../../test/support/seeded-fast-check.ts';
import { type Selection, selectLines, tailOf } from './select-lines.ts';

const at = (second: number) => `2026-11-23T10:00:0${second}.123456789Z`;
const LOG = `${at(1)} one\n${at(2)} TWO \u001b[31mred\n${at(3)} three\n`;
const all: Selection = { timestamps: true };

async function selected(chunks: readonly Buffer[], wanted: Selection): Promise<Buffer> {
  const source = (async function* () {
    yield* chunks;
  })();
  return buffer(Readable.from(selectLines(source, wanted), { objectMode: false }));
}
const textOf = async (text: string, wanted: Selection) => (await selected([Buffer.from(text)], wanted)).toString();

test.each<[string, Selection, string]>([
  ['all of it', all, LOG],
  ['without its times', { timestamps: false }, 'one\nTWO \u001b[31mred\nthree\n'],
  ['from a time on', { ...all, sinceMs: Date.parse('2026-11-23T10:00:02.5Z') }, `${at(3)} three\n`],
  ['what is searched for, in any case', { timestamps: false, search: 'two' }, 'TWO \u001b[31mred\n'],
  ['nothing for what is in the times alone', { timestamps: false, search: '2026' }, ''],
])('%s', async (_what, wanted, text) => {
  expect(await textOf(LOG, wanted)).toBe(text);
});

test('a line without a time stays whole', async () => {
  expect(await textOf('no time here\n', { timestamps: false })).toBe('no time here\n');
});

test('a line without an end is passed on in pieces, as wanted as its beginning', async () => {
  const piece = Buffer.alloc(200_000, 'x');
  const long = [Buffer.from(`${at(1)} needle `), piece, piece, piece, Buffer.from(`\n${at(2)} other\n`)];
  const found = await selected(long, { timestamps: false, search: 'needle' });
  expect(found.length).toBe('needle '.length + 600_000 + 1);
  expect((await selected(long, { timestamps: false, search: 'other' })).toString()).toBe('other\n');
});

test('however it is cut, any bytes come out as they went in', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 400 }),
      fc.array(fc.nat(400), { maxLength: 8 }),
      async (bytes, cuts) => {
        const whole = Buffer.from(bytes);
        const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((end, index) => whole.subarray(places[index], end));
        expect((await selected(chunks, all)).equals(whole)).toBe(true);
        expect(await selected(chunks, { timestamps: false })).toEqual(await selected([whole], { timestamps: false }));
      },
    ),
  );
});

test.each([
  [0, ''],
  [1, 'c\n'],
  [2, 'b\nc\n'],
  [3, 'a\nb\nc\n'],
  [9, 'a\nb\nc\n'],
])('the last %i lines', (lines, text) => {
  expect(tailOf(Buffer.from('a\nb\nc\n'), lines).toString()).toBe(text);
});

test('the tail of nothing is nothing', () => {
  expect(tailOf(Buffer.alloc(0), 5)).toHaveLength(0);
});
