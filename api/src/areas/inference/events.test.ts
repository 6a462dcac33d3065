// An engine's stream in events: the same however its bytes come, and in a time that grows with their number.
import { expect, test } from '@jest/globals';
import { fc } from '../../../../test/support/seeded-fast-check.ts';
import { Gathered } from '../../platform/gathered.ts';
import { EventCutter } from './events.ts';

const event = fc
  .tuple(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n\n', '\r\n\r\n'))
  .map(([said, end]) => `data: ${said.replaceAll(/[\r\n]/g, '')}${end}`);

test('events are the same however a stream is cut, in the midst of a letter too', () => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 8 }),
      fc.string(),
      fc.array(fc.integer({ min: 1, max: 9 })),
      (events, rest, cuts) => {
        const left = Buffer.from(rest.replaceAll(/[\r\n]/g, ''));
        const bytes = Buffer.concat([Buffer.from(events.join('')), left]);
        const cutter = new EventCutter();
        const got: string[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const length = cuts.length === 0 ? bytes.length : (cuts[turn % cuts.length] as number);
          // Whoever reads them uses the bytes again.
          const piece = Buffer.from(bytes.subarray(at, at + length));
          got.push(...cutter.take(piece));
          piece.fill(0);
          at += length;
        }
        expect(got).toEqual(events);
        expect(cutter.left).toBe(left.length);
      },
    ),
    { numRuns: 2_000 },
  );
});

const BYTES = 512 * 1024;
/** A reader that copies all earlier bytes for each new one would take half a minute, and more on a busy machine. */
const SOON_MS = 15_000;

test('an event that comes byte by byte takes a time that grows with its length', () => {
  const cutter = new EventCutter();
  const letter = Buffer.from('x');
  const began = performance.now();
  let early = 0;
  for (let at = 0; at < BYTES; at++) early += cutter.take(letter).length;
  expect([early, cutter.take(Buffer.from('\n\n')).length]).toEqual([0, 1]);
  expect(performance.now() - began).toBeLessThan(SOON_MS);
});

test.each(['\n\n', ':\n\n', ':\r\n\r\n', 'data: {}\n\n'])(
  'of many events %j the bytes are looked through a few times',
  (piece) => {
    const bytes = Buffer.from(piece.repeat(4_096));
    let looked = 0;
    const indexOf = (...asked: Parameters<Buffer['indexOf']>): number => {
      const at = Buffer.prototype.indexOf.apply(bytes, asked);
      looked += (at < 0 ? bytes.length : at) - Number(asked[1]);
      return at;
    };
    Object.assign(bytes, { indexOf });
    expect(new EventCutter().take(bytes)).toHaveLength(4_096);
    expect(looked).toBeLessThanOrEqual(2 * bytes.length);
  },
);

test('an event of more than a MiB is refused, however it comes', () => {
  const piece = Buffer.alloc(256 * 1024, 'x');
  const cutter = new EventCutter();
  for (let at = 0; at < 4; at++) cutter.take(piece);
  expect(() => cutter.take(piece)).toThrow('too long');
});

test('bytes that are gathered are those that came, whatever becomes of the pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9_000 }), { maxLength: 12 }), fc.nat(), (pieces, count) => {
      const gathered = new Gathered();
      for (const piece of pieces) {
        const given = Buffer.from(piece);
        gathered.add(given);
        given.fill(0);
      }
      const all = Buffer.concat(pieces);
      expect(gathered.bytes.equals(all)).toBe(true);
      const dropped = Math.min(count, all.length);
      gathered.drop(dropped);
      expect(gathered.bytes.equals(all.subarray(dropped))).toBe(true);
      expect(gathered.size).toBe(all.length - dropped);
    }),
  );
});
