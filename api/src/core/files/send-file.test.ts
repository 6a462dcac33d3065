// Transfers of people who send or take slowly, or not at all: how many there are at once, who gives way, and when a place is lost.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { SteppedClock, turns } from '@gantry/kube/testing/stepped-clock.ts';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type AtOnce, downloadsAtOnce, piecesAtOnce } from './at-once.ts';
import type { FileRow } from './files.ts';
import type { LeastRate } from './least-rate.ts';
import { sendBody } from './send-file.ts';
import { type TakeParts, TakePieces } from './take-pieces.ts';

const callerOf = (account: string, organization: string) =>
  ({ account: { id: account }, organization: { id: organization } }) as Caller;
const ann = callerOf('ann', 'acme');
const SLOW = { problem: 'transfer_too_slow', args: { least: 256 } };
/** Until the place is lost, as transfers do. */
const untilLost = ({ signal }: LeastRate) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('lost'))));

describe('places', () => {
  const most = { ofAccount: 2, ofOrganization: 3, ofAll: 4 };
  const hold = (atOnce: AtOnce, account: string, organization: string) => {
    const end = atOnce.within(callerOf(account, organization), undefined, untilLost).catch((error: unknown) => error);
    return { end };
  };

  test('one person and one organisation have so many, and what ends makes room', async () => {
    const atOnce = downloadsAtOnce(new SteppedClock(), most);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = atOnce.within(ann, undefined, () => promise);
    hold(atOnce, 'ann', 'acme');
    const refused = { problem: 'too_many_downloads', retryAfterSeconds: 5 };
    await expect(hold(atOnce, 'ann', 'acme').end).resolves.toMatchObject({ ...refused, args: { most: 2 } });
    hold(atOnce, 'bob', 'acme');
    await expect(hold(atOnce, 'cid', 'acme').end).resolves.toMatchObject({ ...refused, args: { most: 3 } });
    resolve();
    await first;
    expect(await atOnce.within(ann, undefined, async () => 'sent')).toBe('sent');
  });

  test('once all are taken, the organisation with the most gives way until each has as many', async () => {
    const atOnce = downloadsAtOnce(new SteppedClock(), most);
    const [oldest, newer, newest] = ['ann', 'ann', 'bob'].map((account) => hold(atOnce, account, 'acme'));
    const other = hold(atOnce, 'dan', 'other');
    const gaveWay = { problem: 'transfer_gave_way' };
    const third = hold(atOnce, 'eve', 'third');
    expect(await newest?.end).toMatchObject(gaveWay);
    const fourth = hold(atOnce, 'fay', 'fourth');
    expect(await newer?.end).toMatchObject(gaveWay);
    // Each of four has one. What gave way does not come back by taking another's place.
    for (const organization of ['acme', 'fifth'])
      expect(await hold(atOnce, 'gus', organization).end).toMatchObject({
        problem: 'unavailable',
        retryAfterSeconds: 5,
      });
    const still = Symbol('held');
    await turns();
    for (const place of [oldest, other, third, fourth]) expect(await Promise.race([place?.end, still])).toBe(still);
  });

  test('three organisations with all of the places share them with ten more', async () => {
    const atOnce = piecesAtOnce(new SteppedClock());
    const held = ['a', 'b', 'c'].map((organization) =>
      Array.from({ length: 16 }, (_, at) => hold(atOnce, `${organization}${at}`, organization)),
    );
    const few = Array.from({ length: 10 }, (_, at) => [hold(atOnce, `n${at}`, `new${at}`)]);
    const still = Symbol('held');
    await turns();
    const counts = [...held, ...few].map(async (places) => {
      const ends = await Promise.all(places.map(({ end }) => Promise.race([end, still])));
      return ends.filter((end) => end === still).length;
    });
    expect(await Promise.all(counts)).toEqual([10, 10, 10, ...few.map(() => 1)]);
  });
});

/** A chunk of so many bytes each second. */
async function* each(clock: SteppedClock, bytes: number, seconds: number): AsyncGenerator<Buffer> {
  for (let second = 0; second < seconds; second++) {
    await new Promise<void>((resolve) => {
      clock.after(1_000, resolve);
    });
    yield Buffer.alloc(bytes);
  }
}

/** Steps second by second until the work is over. */
async function seconds(clock: SteppedClock, work: Promise<unknown>): Promise<{ how: unknown; seconds: number }> {
  let end: { how: unknown } | undefined;
  const over = (how: unknown) => {
    end = { how };
  };
  void work.then(over, over);
  let passed = 0;
  for (; !end && passed < 1_000; passed++) await clock.step(1_000);
  return { how: end?.how, seconds: passed };
}

describe('a piece', () => {
  function taking() {
    const clock = new SteppedClock();
    const taken: number[] = [];
    const append: TakeParts['pieces']['append'] = async (_, __, { offset, size, body }) => {
      for await (const chunk of body as AsyncIterable<Uint8Array>) taken.push(chunk.length);
      return offset + size;
    };
    const atOnce = piecesAtOnce(clock, { ofAccount: 1, ofOrganization: 1, ofAll: 1 });
    const pieces = new TakePieces({ store: {} as never, pieces: { append }, piecesAtOnce: atOnce });
    const take = (body: Readable, size: number) => {
      const file = { path: 'f', receivedBytes: 0, sizeBytes: size } as FileRow;
      return pieces.take(ann, { file, offset: 0, length: size, body, look: () => undefined });
    };
    return { clock, taken, take };
  }

  test('that comes byte by byte loses its place, and says why', async () => {
    const { clock, take } = taking();
    const body = Readable.from(each(clock, 1, 10_000), { objectMode: false });
    const { how, seconds: passed } = await seconds(clock, take(body, 10_000));
    expect(how).toMatchObject(SLOW);
    expect(passed).toBeLessThan(70);
    // It gets an answer.
    expect(body.destroyed).toBe(false);
    const next = take(Readable.from([Buffer.from('b')], { objectMode: false }), 1);
    expect(await next).toEqual({ offset: 1, complete: true });
  });

  test('that does not come at all loses its place, and the sender’s stream is not waited for', async () => {
    const { clock, take } = taking();
    const { how } = await seconds(clock, take(new Readable({ read: () => undefined }), 1));
    expect(how).toMatchObject(SLOW);
  });

  test('of a slow connection, eight of which share 50 KB a second, arrives', async () => {
    const { clock, take } = taking();
    const bytes = 50_000 / 8;
    const body = Readable.from(each(clock, bytes, 300), { objectMode: false });
    expect((await seconds(clock, take(body, 300 * bytes))).how).toEqual({ offset: 300 * bytes, complete: true });
  });
});

describe('a download', () => {
  /** Of a body without end, which the client reads as it likes. */
  async function served(body: Readable) {
    const clock = new SteppedClock();
    const atOnce = downloadsAtOnce(clock, { ofAccount: 1, ofOrganization: 1, ofAll: 1 });
    const { promise: sent, resolve } = Promise.withResolvers<unknown>();
    const gone = new AbortController();
    const server = createServer((_: IncomingMessage, res: ServerResponse) => {
      res.once('close', () => gone.abort(new Error('gone')));
      atOnce.within(ann, gone.signal, (rate) => sendBody(res, body, rate)).then(resolve, resolve);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const asked = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    // It is left with an answer that breaks off.
    answer.on('error', () => {});
    const end = async () => {
      expect(await atOnce.within(ann, undefined, async () => 'room')).toBe('room');
      server.closeAllConnections();
      server.close();
    };
    return { clock, sent, answer, end };
  }
  const endless = () =>
    Readable.from(
      (async function* () {
        for (;;) yield Buffer.alloc(65_536);
      })(),
      { objectMode: false },
    );

  test('whose client takes nothing is ended, and what is read for it is closed', async () => {
    const body = endless();
    const { clock, sent, end } = await served(body);
    await eventually('the client is waited for', () => clock.waitingMs.length > 0);
    const { how } = await seconds(clock, sent);
    expect(how).toMatchObject(SLOW);
    expect(body.destroyed).toBe(true);
    await end();
  });

  test('whose client takes a little now and then is ended too, and one at 50 KB a second is not', async () => {
    for (const [bytes, isEnded] of [
      [100, true],
      [50_000, false],
    ] as const) {
      const clock = new SteppedClock();
      const take = async (rate: LeastRate) => {
        let taken = 0;
        for await (const chunk of rate.taken(Readable.from(Array.from({ length: 300 }, () => Buffer.alloc(bytes))))) {
          taken += chunk.length;
          await new Promise<void>((resolve, reject) => {
            clock.after(1_000, resolve);
            rate.signal.addEventListener('abort', reject);
          });
        }
        return taken;
      };
      const { how } = await seconds(clock, downloadsAtOnce(clock).within(ann, undefined, take));
      if (isEnded) expect(how).toMatchObject(SLOW);
      else expect(how).toBe(300 * bytes);
    }
  });

  test('whose client leaves while the source is silent gives its place back at once', async () => {
    const body = new Readable({ read: () => undefined });
    body.push('a');
    const { sent, answer, end } = await served(body);
    await once(answer, 'data');
    answer.destroy();
    expect(await sent).toEqual(new Error('gone'));
    expect(body.destroyed).toBe(true);
    await end();
  });
});
