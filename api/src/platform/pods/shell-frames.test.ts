// Frames from a container where the tenant is root: what the agent writes arrives whole, however it is cut, and nothing else does.
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../../../test/support/seeded-fast-check.ts';
import { BadFrame, ShellFrames } from './shell-frames.ts';

interface Frame {
  kind: number;
  payload: Buffer;
}

const bytesOf = ({ kind, payload }: Frame): Buffer => {
  const header = Buffer.alloc(5);
  header[0] = kind;
  header.writeUInt32BE(payload.length, 1);
  return Buffer.concat([header, payload]);
};
const number32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** The decoded frames; consecutive data is joined. */
function decode(chunks: readonly Buffer[]) {
  const heard: (string | number)[][] = [];
  const frames = new ShellFrames({
    onData: (bytes) => {
      if (heard.at(-1)?.[0] === 'data') heard[heard.length - 1] = ['data', heard.at(-1)?.[1] + bytes.toString('hex')];
      else heard.push(['data', bytes.toString('hex')]);
    },
    onTaken: (bytes) => void heard.push(['taken', bytes]),
    onExit: (code) => void heard.push(['exit', code]),
  });
  for (const chunk of chunks) frames.take(chunk);
  return heard;
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const data = fc.uint8Array({ maxLength: 300 }).map((bytes) => ({ kind: 0, payload: Buffer.from(bytes) }));
const taken = fc.nat(0xff_ff_ff_ff).map((count) => ({ kind: 3, payload: number32(count) }));
const exit = fc.nat(255).map((code) => ({ kind: 4, payload: number32(code) }));
const places = fc.array(fc.nat(), { maxLength: 40 });

describe('frames of a shell', () => {
  test('however they are cut, the same is heard', () => {
    const said = fc.tuple(fc.array(fc.oneof(data, taken)), fc.option(exit, { nil: undefined }), places);
    fc.assert(
      fc.property(said, ([frames, last, at]) => {
        const bytes = Buffer.concat([...frames, ...(last ? [last] : [])].map(bytesOf));
        expect(decode(cut(bytes, at))).toEqual(decode([bytes]));
        const shown = frames.filter(({ kind }) => kind === 0).map(({ payload }) => payload.toString('hex'));
        const heard = decode([bytes]).filter(([kind]) => kind === 'data');
        expect(heard.map(([, hex]) => hex).join('')).toBe(shown.join(''));
      }),
    );
  });

  test('any bytes at all are heard or refused, and never anything else', () => {
    const mixed = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
        fc.oneof(data, taken, exit).map(bytesOf),
        fc
          .record({ kind: fc.nat(255), payload: fc.uint8Array({ maxLength: 8 }) })
          .map(({ kind, payload }) => bytesOf({ kind, payload: Buffer.from(payload) })),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(mixed, (chunks) => {
        try {
          for (const [kind, value] of decode(chunks)) {
            if (kind === 'exit') expect(value).toBeLessThanOrEqual(255);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(BadFrame);
        }
      }),
    );
  });

  test.each<[string, Buffer]>([
    ['an empty EXIT', bytesOf({ kind: 4, payload: Buffer.alloc(0) })],
    ['a short TAKEN', bytesOf({ kind: 3, payload: Buffer.alloc(3) })],
    ['a long TAKEN', bytesOf({ kind: 3, payload: Buffer.alloc(5) })],
    ['an exit code of 256', bytesOf({ kind: 4, payload: number32(256) })],
    ['DATA of one byte too many', Buffer.from([0, 0, 1, 0, 1])],
    ['a frame after EXIT', Buffer.concat([bytesOf({ kind: 4, payload: number32(0) }), Buffer.of(0)])],
    ['a kind that only the gateway sends', bytesOf({ kind: 2, payload: Buffer.alloc(0) })],
  ])('%s is refused, also byte by byte', (_name, bytes) => {
    expect(() => decode([bytes])).toThrow(BadFrame);
    expect(() => decode([...bytes].map((byte) => Buffer.of(byte)))).toThrow(BadFrame);
  });
});
