// What a worker asks of models is answered, and paid once, also while the database or its Pod is away for a moment.
import { systemClock } from '@gantry/kube/clock.ts';
import { expect, test } from '@jest/globals';
import { Broken } from '../../platform/pods/call-pod.ts';
import type { TaskDoor } from './task-door.ts';
import { followRun, type TaskRunParts } from './task-run.ts';

const AWAY = 'Connection terminated unexpectedly';
const KEY = `${'a'.repeat(64)}/0`;
/** Nobody waits for its pauses. */
const hurried = { ...systemClock, after: (_: number, run: () => void) => systemClock.after(1, run) };

const waiting = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** The first calls fail so. */
const failing = (...failures: readonly Error[]) => {
  const left = [...failures];
  return async () => {
    const failure = left.shift();
    if (failure) throw failure;
  };
};

/** A run whose worker asks one thing, and ends once it is answered. */
async function asks(
  trouble: { known?: Error[]; kept?: Error[]; told?: Error[] },
  answer = async () => ({ status: 200, body: 'an answer' }),
) {
  const [known, kept, told] = [trouble.known, trouble.kept, trouble.told].map((of) => failing(...(of ?? [])));
  const seen = { paid: 0, kept: [] as string[], told: [] as (string | number)[] };
  const { promise: answered, resolve: tell } = Promise.withResolvers<void>();
  const door = {
    boot: '',
    journal: () => answered.then(() => ({ boot: 'b', lines: [], over: { code: 0 } })),
    asks: (after: number, signal: AbortSignal) =>
      after > 0 ? waiting(signal) : Promise.resolve([{ id: 1, key: KEY, path: '/v1/chat/completions', body: '{}' }]),
    answer: async (_: number, status: number, body: string) => {
      await told?.();
      seen.told.push(status, body);
      tell();
    },
    over: async () => {},
  } as unknown as TaskDoor;
  const store = {
    open: async () => ({ taken: 0, boot: 'b' }),
    answered: async () => known?.(),
    answer: async (_: unknown, { body }: { body: string }) => {
      await kept?.();
      seen.kept.push(body);
    },
    ...{ log: async () => {}, forgetAnswers: async () => {} },
  };
  const parts = {
    ...{ door, store, clock: hurried, isManager: false, log: { info() {}, warn() {} } },
    ...{ points: { take: async () => {} }, checkpoints: { unneeded: async () => [], haveSettled: async () => true } },
    ask: async () => {
      seen.paid += 1;
      return answer();
    },
    ended: async () => {},
  } as unknown as TaskRunParts;
  const of = { taskUid: 'uid-1', run: 1, organizationId: 'acme', work: 'dst-1' };
  await followRun(of as Parameters<typeof followRun>[0], parts, new AbortController().signal);
  return seen;
}

const WHOLE = { paid: 1, kept: ['an answer'], told: [200, 'an answer'] };

test.each([
  ['before it is known whether it was answered', { known: [new Error(AWAY), new Error(AWAY)] }],
  ['before what was paid for is kept', { kept: [new Error(AWAY)] }],
])('a database that breaks off %s delays the answer, and nothing is paid twice', async (_, trouble) => {
  expect(await asks(trouble)).toEqual(WHOLE);
});

test('a Pod that breaks off is told the answer again, which was paid once', async () => {
  expect(await asks({ told: [new Broken('the Pod broke off')] })).toEqual(WHOLE);
});

test('an answer that SQL cannot have is passed on all the same', async () => {
  expect(await asks({ kept: [new Error('invalid byte sequence')] })).toEqual({ ...WHOLE, kept: [] });
});

test('a worker whose question comes to nothing is told to ask again', async () => {
  const { told } = await asks({ known: [new Error('another')] });
  expect(told[0]).toBe(503);
});

test('a gateway that leaves does not wait for a checkpoint that is on its way', async () => {
  const end = new AbortController();
  let looks = 0;
  const haveSettled = async () => {
    looks += 1;
    end.abort();
    if (looks > 5) throw new Error('it goes on looking');
    return false;
  };
  const parts = {
    door: {
      boot: 'b',
      journal: async () => ({ boot: 'b', lines: [], over: { code: 0 } }),
      asks: (_: number, signal: AbortSignal) => waiting(signal),
    },
    store: { open: async () => ({ taken: 0, boot: 'b' }), log: async () => {} },
    ...{ points: { take: async () => {} }, checkpoints: { unneeded: async () => [], haveSettled } },
    ...{ clock: hurried, isManager: false, log: { info() {}, warn() {} } },
  } as unknown as TaskRunParts;
  const of = { taskUid: 'uid-1', run: 1, organizationId: 'acme', work: 'mdl-1' } as Parameters<typeof followRun>[0];
  await expect(followRun(of, parts, end.signal)).rejects.toMatchObject({ name: 'AbortError' });
  expect(looks).toBe(1);
});
