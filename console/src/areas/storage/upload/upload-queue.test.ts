// Uploads against a disk that stores bytes like the real one: whole or in pieces, refusing existing files, and sometimes
// unavailable.

import { ApiProblem, type ProblemDetail } from '@gantry/ui/client/api-problem.ts';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { PIECE_BYTES } from './send-file.ts';
import { UploadMemory } from './upload-memory.ts';
import { UploadQueue, type UploadRow } from './upload-queue.ts';
import { FileChanged, type Piece, type UploadWire } from './upload-wire.ts';

const LARGE = 2 * PIECE_BYTES + 5;
const problem = (error: ProblemDetail['error'], args = {}, more = {}) =>
  new ApiProblem({ status: error === 'network' ? 0 : 409, code: 1, error, message: `It is ${error}.`, args, ...more });

/** A disk as its server keeps it. `breaks` says after how many bytes the next pieces break off. */
class FakeDisk implements UploadWire {
  readonly files = new Map<string, number>();
  readonly parts = new Map<string, number>();
  readonly calls: string[] = [];
  breaks: ({ after: number; error: Error; isAnswerLost?: boolean } | undefined)[] = [];
  /** While it is there nothing is answered. */
  gate: Promise<void> | undefined;

  async put(
    { path, overwrite, body, upload, range }: Piece,
    { signal, sent }: Parameters<UploadWire['put']>[1],
  ): Promise<{ complete: boolean; offset?: number }> {
    this.calls.push(`${overwrite ? 'replace' : 'put'} ${path} ${range ?? 'whole'}`);
    await Promise.race([
      this.gate,
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ]);
    if (this.files.has(path) && !overwrite) throw problem('file_exists');
    const breaks = this.breaks.shift();
    const [, from = '0', total = `${body.size}`] = /^bytes (\d+)-\d+\/(\d+)$/.exec(range ?? '') ?? [];
    const key = `${path} ${upload}`;
    const stands = this.parts.get(key) ?? 0;
    if (range !== undefined && !range.startsWith('bytes *') && Number(from) !== stands)
      throw problem('upload_offset', { offset: stands });
    const arrived = breaks && !breaks.isAnswerLost ? Math.min(breaks.after, body.size) : body.size;
    sent(arrived);
    const offset = stands + arrived;
    if (upload !== undefined) this.parts.set(key, offset);
    if (breaks && !breaks.isAnswerLost) throw breaks.error;
    const isComplete = upload === undefined || range?.startsWith('bytes *') === true || offset === Number(total);
    if (isComplete) {
      this.files.set(path, upload === undefined ? body.size : offset);
      this.parts.delete(key);
    }
    if (breaks) throw breaks.error;
    return isComplete ? { complete: true } : { complete: false, offset };
  }

  async offset(path: string, upload: string) {
    this.calls.push(`offset ${path}`);
    return this.parts.get(`${path} ${upload}`);
  }

  async size(path: string) {
    this.calls.push(`size ${path}`);
    return this.files.get(path);
  }

  async giveUp(path: string, upload: string) {
    this.calls.push(`giveUp ${path}`);
    this.parts.delete(`${path} ${upload}`);
  }
}

const file = (name: string, size: number, lastModified = 1): File =>
  new File([new Uint8Array(size)], name, { lastModified });
const settled = async () => {
  for (let turn = 0; turn < 40; turn++) await Promise.resolve();
};

let disk: FakeDisk;
let kept: Map<string, string>;
let pauses: { ms: number; run: () => void }[];
let held: number;
let account: string;
let queue: UploadQueue;
const newQueue = () =>
  new UploadQueue({
    wireOf: () => disk,
    memory: new UploadMemory(
      { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
      account,
      () => 0,
    ),
    now: () => 0,
    after: (ms, run) => {
      const pause = { ms, run };
      pauses.push(pause);
      return () => {
        pauses = pauses.filter((each) => each !== pause);
      };
    },
    hold: () => {
      held++;
      return () => {
        held--;
      };
    },
    onDone: () => {},
  });
const states = () => queue.rows().map(({ state }) => state);
const first = () => queue.rows()[0] as UploadRow;
const send = async (...files: File[]) => {
  queue.add(
    'dsk-1',
    files.map((each) => ({ path: `/${each.name}`, file: each })),
  );
  await settled();
};
const wait = async () => {
  for (const { run } of pauses.splice(0)) run();
  await settled();
};

beforeEach(() => {
  disk = new FakeDisk();
  kept = new Map();
  pauses = [];
  held = 0;
  account = 'ann';
  queue = newQueue();
});

test('a small file goes whole, a large one in pieces, an empty one too', async () => {
  await send(file('small', 10), file('large', LARGE), file('empty', 0));
  expect(states()).toEqual(['done', 'done', 'done']);
  expect([...disk.files]).toEqual(
    expect.arrayContaining([
      ['/small', 10],
      ['/large', LARGE],
      ['/empty', 0],
    ]),
  );
  expect(disk.calls.filter((call) => call.includes('large'))).toEqual([
    `put /large bytes 0-${PIECE_BYTES - 1}/${LARGE}`,
    `put /large bytes ${PIECE_BYTES}-${2 * PIECE_BYTES - 1}/${LARGE}`,
    `put /large bytes ${2 * PIECE_BYTES}-${LARGE - 1}/${LARGE}`,
  ]);
});

test('three go at once, the others wait', async () => {
  const gate = Promise.withResolvers<void>();
  disk.gate = gate.promise;
  await send(...['a', 'b', 'c', 'd', 'e'].map((name) => file(name, 1)));
  expect(states()).toEqual(['sending', 'sending', 'sending', 'waiting', 'waiting']);
  gate.resolve();
  await settled();
  expect(states()).toEqual(['done', 'done', 'done', 'done', 'done']);
});

test('a broken connection goes on by itself where the disk stands', async () => {
  disk.breaks = [{ after: 7, error: problem('network') }];
  await send(file('large', LARGE));
  expect(states()).toEqual(['retrying']);
  await wait();
  expect(states()).toEqual(['done']);
  expect(disk.calls.slice(1, 3)).toEqual(['offset /large', `put /large bytes 7-${PIECE_BYTES + 6}/${LARGE}`]);
});

test('it waits longer each time that nothing gets through, and not at all once the network is back', async () => {
  disk.breaks = [1, 2, 3, 4].map(() => ({ after: 0, error: problem('network') }));
  await send(file('large', LARGE));
  const waited: number[] = [];
  for (let time = 0; time < 3; time++) {
    waited.push(pauses[0]?.ms ?? 0);
    await wait();
  }
  expect(waited).toEqual([1000, 2000, 4000]);
  queue.wake();
  await settled();
  expect(states()).toEqual(['done']);
});

test('a large file whose last answer was lost is looked for, and not sent again', async () => {
  disk.breaks = [undefined, { after: 0, error: problem('network'), isAnswerLost: true }];
  await send(file('large', 2 * PIECE_BYTES));
  expect(states()).toEqual(['retrying']);
  const before = disk.calls.length;
  await wait();
  expect(states()).toEqual(['done']);
  expect(disk.calls.slice(before)).toEqual(['offset /large', 'size /large']);
});

test('a small file whose answer was lost goes again, whatever of its size is there', async () => {
  disk.files.set('/small', 10);
  await send(file('small', 10));
  disk.breaks = [{ after: 10, error: problem('network') }];
  queue.answer('1', true, false);
  await settled();
  queue.wake();
  await settled();
  expect(states()).toEqual(['done']);
  expect(disk.calls).toEqual(['put /small whole', 'replace /small whole', 'replace /small whole']);
});

test('a small file that came though its answer was lost is asked about, not taken for another', async () => {
  disk.breaks = [{ after: 0, error: problem('network'), isAnswerLost: true }];
  await send(file('small', 10));
  await wait();
  expect(states()).toEqual(['asks']);
  expect(disk.calls).toEqual(['put /small whole', 'put /small whole']);
});

test('only files that can go on are remembered', async () => {
  disk.gate = new Promise(() => {});
  await send(file('small', 10), file('whole', PIECE_BYTES));
  expect(kept.size).toBe(0);
  await send(file('large', LARGE));
  expect(Object.keys(JSON.parse(kept.get('gantry_uploads:ann') ?? '{}'))).toEqual([`dsk-1\n/large\n${LARGE}\n1`]);
});

test('after a reload the same file goes on, and another of that name begins anew', async () => {
  disk.breaks = [{ after: 9, error: problem('network') }];
  await send(file('large', LARGE));
  queue = newQueue();
  pauses = [];
  await send(file('large', LARGE));
  expect(states()).toEqual(['done']);
  expect(disk.calls).toContain(`put /large bytes 9-${PIECE_BYTES + 8}/${LARGE}`);

  disk.calls.length = 0;
  disk.files.clear();
  queue = newQueue();
  await send(file('large', LARGE, 2));
  expect(disk.calls[0]).toBe(`put /large bytes 0-${PIECE_BYTES - 1}/${LARGE}`);
});

test('a pause stops it and going on goes on', async () => {
  const gate = Promise.withResolvers<void>();
  disk.gate = gate.promise;
  await send(file('large', LARGE));
  queue.pause('1');
  await settled();
  expect(states()).toEqual(['paused']);
  gate.resolve();
  disk.gate = undefined;
  queue.resume('1');
  await settled();
  expect(states()).toEqual(['done']);
});

test('a cancelled upload is dropped on the disk and forgotten here', async () => {
  disk.breaks = [{ after: 9, error: problem('network') }];
  await send(file('large', LARGE));
  await queue.cancel('1');
  await wait();
  expect(queue.rows()).toEqual([]);
  expect(disk.calls.at(-1)).toBe('giveUp /large');
  await send(file('large', LARGE));
  expect(disk.calls).not.toContain('offset /large');
});

test('an existing file is replaced only when a person says so', async () => {
  disk.files.set('/a', 1).set('/b', 1).set('/c', 1);
  await send(file('a', 5), file('b', 5), file('c', 5));
  expect(states()).toEqual(['asks', 'asks', 'asks']);
  queue.answer('1', false, false);
  queue.answer('2', true, true);
  await settled();
  expect(Object.fromEntries(disk.files)).toEqual({ '/a': 1, '/b': 5, '/c': 5 });
  expect(states()).toEqual(['done', 'done']);
});

test('a refused upload stays with its reason until a person tries again', async () => {
  disk.breaks = [{ after: 0, error: problem('disk_full') }];
  await send(file('small', 10));
  expect(first()).toMatchObject({ state: 'failed', problem: 'It is disk_full.' });
  expect(pauses).toEqual([]);
  queue.resume('1');
  await settled();
  expect(states()).toEqual(['done']);
});

test('a file that has changed on this machine is not tried again by itself', async () => {
  disk.breaks = [{ after: 0, error: new FileChanged() }];
  await send(file('small', 10));
  expect(first()).toMatchObject({ state: 'failed', isFileChanged: true });
  expect(pauses).toEqual([]);
});

test('a proxy that finds nobody behind it is waited for', async () => {
  disk.breaks = [{ after: 0, error: problem('bad_answer', {}, { status: 502 }) }];
  await send(file('small', 10));
  expect(states()).toEqual(['retrying']);
});

test('while the disk’s server starts it waits as long as it is told', async () => {
  disk.breaks = [{ after: 0, error: problem('files_preparing', {}, { retryAfterMs: 2000 }) }];
  await send(file('small', 10));
  expect(first()).toMatchObject({ state: 'retrying', isPreparing: true });
  expect(pauses.map(({ ms }) => ms)).toEqual([2000]);
  await wait();
  expect(first()).toMatchObject({ state: 'done', isPreparing: false });
});

test('the page is held as long as something is unfinished', async () => {
  disk.files.set('/a', 1);
  await send(file('a', 5));
  expect(held).toBe(1);
  queue.answer('1', true, false);
  await settled();
  expect(held).toBe(0);
});

test('a file on its way is not sent twice', async () => {
  disk.files.set('/a', 1);
  await send(file('a', 5));
  await send(file('a', 5));
  expect(queue.rows()).toHaveLength(1);
});

test('whoever listens hears of each change, and of nothing after having left', async () => {
  const listener = jest.fn();
  const leave = queue.subscribe(listener);
  await send(file('a', 5));
  const heard = listener.mock.calls.length;
  expect(heard).toBeGreaterThan(1);
  leave();
  queue.clearDone();
  expect(queue.rows()).toEqual([]);
  expect(listener).toHaveBeenCalledTimes(heard);
});

test('after logout uploads stop and disappear, and nobody else resumes them', async () => {
  disk.breaks = [{ after: 9, error: problem('network') }];
  await send(file('large', LARGE));
  queue.end();
  await wait();
  expect([queue.rows(), held, pauses]).toEqual([[], 0, []]);
  expect(disk.calls).toHaveLength(1);
  account = 'bob';
  queue = newQueue();
  await send(file('large', LARGE));
  expect(disk.calls).not.toContain('offset /large');
});
