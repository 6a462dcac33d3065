// Row D1: the cost of telling thousands of listeners the same. Servers and listeners are separate processes; the server's CPU is
// counted.
import { type ChildProcess, fork } from 'node:child_process';
import type { Pair } from './measure.ts';
import { sized } from './stage.ts';
import type { Listening } from './stream-listeners.ts';
import type { Order } from './stream-server.ts';
import { pairsOf } from './wire.ts';

const SERVER_PROGRAM = new URL('./stream-server.ts', import.meta.url);
const LISTENERS_PROGRAM = new URL('./stream-listeners.ts', import.meta.url);

const PAIRS = 5;
const LISTENERS = sized(5_000);
/** One change at a time, so that nobody gains by gathering them. */
const SINGLY: Order = { changes: 40, gapMs: 60 };
/** As when a batch of instances starts. */
const IN_BURSTS: Order = { changes: 100, gapMs: 0 };

export interface FanOut {
  /** Deliveries for each second of the server's CPU. */
  readonly singly: readonly Pair[];
  readonly inBursts: readonly Pair[];
  readonly perSecond: readonly Pair[];
}

export async function fanOut(): Promise<FanOut> {
  const children: ChildProcess[] = [];
  const start = (file: URL, ...args: string[]) => {
    const child = fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    children.push(child);
    return child;
  };
  try {
    const listeners = start(LISTENERS_PROGRAM);
    const parties = {
      ours: await party(start(SERVER_PROGRAM, 'ours'), listeners, 'sse'),
      peer: await party(start(SERVER_PROGRAM, 'peer'), listeners, 'socket.io'),
    };
    const perSecond: { ours: number; peer: number }[] = Array.from({ length: PAIRS }, () => ({ ours: 0, peer: 0 }));
    const singly = await pairsOf(PAIRS, {
      ours: async () => (await parties.ours(SINGLY)).perCpuSecond,
      peer: async () => (await parties.peer(SINGLY)).perCpuSecond,
    });
    const turn = (who: keyof Pair) => async (pair: number) => {
      const result = await parties[who](IN_BURSTS);
      const speeds = perSecond[pair];
      if (speeds) speeds[who] = result.perSecond;
      return result.perCpuSecond;
    };
    const inBursts = await pairsOf(PAIRS, { ours: turn('ours'), peer: turn('peer') });
    return { singly, inBursts, perSecond };
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
}

/** Gives the way to have it tell everybody something, and what that cost. */
async function party(server: ChildProcess, listeners: ChildProcess, protocol: Listening['protocol']) {
  const { port } = await answerOf<{ port: number }>(server);
  await ask(listeners, { protocol, port, count: LISTENERS } satisfies Listening);
  return async (order: Order) => {
    const deliveries = LISTENERS * (order.changes ?? 0);
    await ask(listeners, { reset: true });
    const cpuBefore = await cpuMsOf(server);
    const began = performance.now();
    const heard = ask(listeners, { protocol, awaits: deliveries });
    server.send(order);
    await heard;
    const ms = performance.now() - began;
    const cpuMs = (await cpuMsOf(server)) - cpuBefore;
    return { perCpuSecond: (1_000 * deliveries) / cpuMs, perSecond: (1_000 * deliveries) / ms };
  };
}

async function ask(child: ChildProcess, order: object): Promise<void> {
  const answer = answerOf<{ failed?: string }>(child);
  child.send(order);
  const { failed } = await answer;
  if (failed !== undefined) throw new Error(`the listeners: ${failed}`);
}

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new Error('a process of the scene has ended'));
    child.once('exit', end);
    child.once('message', (answer: T) => {
      child.off('exit', end);
      resolve(answer);
    });
  });
}

/** User and kernel time, since the process started. */
async function cpuMsOf(server: ChildProcess): Promise<number> {
  const answer = answerOf<{ cpuMs: number }>(server);
  server.send('cpu');
  return (await answer).cpuMs;
}
