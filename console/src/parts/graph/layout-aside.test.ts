// A layout in a worker: what the page and the worker's own script say to each other, and that the worker ends.
import { beforeEach, expect, test } from '@jest/globals';
import { layoutAside } from './layout-aside.ts';
import { layoutOf, type Structure } from './layout-of.ts';

type Heard = (event: { data: unknown }) => void;
let work: Heard = () => {};
let running: PlayedWorker | undefined;

/** Runs the script of the layout's worker, and takes a turn of its own as a thread does. */
class PlayedWorker {
  static started: PlayedWorker[] = [];
  static breaks = false;
  onmessage: Heard = () => {};
  onerror: (error: unknown) => void = () => {};
  hasEnded = false;
  readonly script: string;

  constructor(url: URL) {
    this.script = url.pathname.split('/').at(-1) ?? '';
    PlayedWorker.started.push(this);
  }

  postMessage(structure: Structure): void {
    queueMicrotask(() => {
      if (this.hasEnded) return;
      if (PlayedWorker.breaks) return this.onerror(new Error('no script'));
      running = this;
      work({ data: structuredClone(structure) });
    });
  }

  terminate(): void {
    this.hasEnded = true;
  }
}

const { addEventListener } = globalThis;
Object.assign(globalThis, {
  Worker: PlayedWorker,
  addEventListener: (_: string, heard: Heard) => {
    work = heard;
  },
  postMessage: (placed: unknown) => running?.onmessage({ data: structuredClone(placed) }),
});
await import('./layout-worker.ts');
Object.assign(globalThis, { addEventListener });

beforeEach(() => {
  PlayedWorker.started = [];
  PlayedWorker.breaks = false;
});

const structure: Structure = {
  nodes: Array.from({ length: 50 }, (_, at) => `n${at}`),
  edges: Array.from({ length: 49 }, (_, at) => [`n${Math.floor(at / 3)}`, `n${at + 1}`] as const),
};

test('places come from the worker, which ends with them', async () => {
  expect(await layoutAside(structure, new AbortController().signal)).toEqual(layoutOf(structure));
  expect(PlayedWorker.started.map(({ script, hasEnded }) => [script, hasEnded])).toEqual([['layout-worker.ts', true]]);
});

test('a worker whose layout nobody wants any more is ended', async () => {
  const gone = new AbortController();
  let isThere = false;
  void layoutAside(structure, gone.signal).then(() => {
    isThere = true;
  });
  gone.abort();
  await new Promise<void>((done) => queueMicrotask(done));
  expect([isThere, PlayedWorker.started[0]?.hasEnded]).toEqual([false, true]);
});

test('a worker that cannot run is said, and ended', async () => {
  PlayedWorker.breaks = true;
  await expect(layoutAside(structure, new AbortController().signal)).rejects.toThrow('no script');
  expect(PlayedWorker.started[0]?.hasEnded).toBe(true);
});
