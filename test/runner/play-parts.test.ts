import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runCommand } from '../support/command.ts';
import { type FileOutcome, NOTHING, outcomeOf } from './outcome.ts';
import { flakyOf, type Lane, type Played, playParts, type Row, type Stage, totalOf } from './play-parts.ts';

/** Its files are shell scripts; each is one test. */
interface Scripts extends Played {
  readonly files: Readonly<Record<string, string>>;
}

let folder: string;
let diary: string[];
let stop: AbortController;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-run-'));
  diary = [];
  stop = new AbortController();
});
afterEach(() => rm(folder, { recursive: true }));

/** Fails until it has been run so many times before. */
const failsTimes = (times: number) =>
  `echo try >> $name; test $(wc -l < $name) -gt ${times} || { echo broken; exit 1; }`;
const PASSES = 'true';

const part = (name: string, lane: Lane, files: Scripts['files'], repeats = true): Scripts => ({
  name,
  lane,
  files,
  repeats,
});

async function script(name: string, text: string): Promise<FileOutcome> {
  const { code, stdout } = await runCommand('sh', ['-c', text], {
    cwd: folder,
    env: { name },
    signal: stop.signal,
    killAfterMs: 1_000,
  });
  const counts = { ...NOTHING, [code === 0 ? 'passed' : 'failed']: 1 };
  return { name, seconds: 0, counts, output: stdout };
}

function play(parts: readonly Scripts[], more: Partial<Stage<Scripts>> = {}): Promise<readonly Row[]> {
  return playParts(parts, {
    play: async ({ name, files }, only) => {
      diary.push(`${name}${only === undefined ? '' : ` ${only} again`}`);
      const outcomes: FileOutcome[] = [];
      for (const [file, text] of Object.entries(files))
        if (only === undefined || only === file) outcomes.push(await script(file, text));
      return outcomeOf(outcomes, 0);
    },
    ready: async ({ name, lane }) => void (lane === 'alone' && diary.push(`${name} may begin`)),
    renew: async ({ name }) => void diary.push(`${name} as new`),
    repeated: ({ name }, [first, second]) =>
      void diary.push(`${name}: ${first.output.trim()}, ${second.output.trim()}.`),
    ended: () => {},
    say: () => {},
    signal: stop.signal,
    ...more,
  });
}

test('a file that fails once is played again, alone and on what is as new, and counts as flaky', async () => {
  const rows = await play([
    part('stories', 'waiting', { 'a.test.ts': failsTimes(1), 'b.test.ts': PASSES }),
    part('agent', 'busy', { p: PASSES }),
  ]);
  expect(rows).toMatchObject([
    { name: 'stories', passed: 2, failed: 0, flaky: ['a.test.ts'] },
    { name: 'agent', passed: 1, failed: 0, flaky: [] },
  ]);
  expect(totalOf(rows)).toEqual({ passed: 3, failed: 0, skipped: 0 });
  expect(diary.slice(2)).toEqual(['stories as new', 'stories a.test.ts again', 'stories: broken, .']);
});

test('a file that fails twice fails the run, and no other is repeated after it', async () => {
  const rows = await play([part('stories', 'waiting', { a: failsTimes(2), b: failsTimes(1), c: PASSES })]);
  expect(rows).toMatchObject([{ passed: 1, failed: 2, flaky: [] }]);
  expect(diary).toEqual(['stories', 'stories as new', 'stories a again', 'stories: broken, broken.']);
});

test('two flaky files pass, a third fails the run, and a fourth is not looked at', async () => {
  const flaky = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`, failsTimes(1)]));
  const two = await play([part('web', 'waiting', flaky(2))]);
  expect([totalOf(two), flakyOf(two)]).toEqual([{ ...NOTHING, passed: 2 }, ['0', '1']]);
  await rm(folder, { recursive: true });
  folder = await mkdtemp(join(tmpdir(), 'gantry-run-'));
  const four = await play([part('web', 'waiting', flaky(4))]);
  expect([totalOf(four), flakyOf(four)]).toEqual([{ ...NOTHING, passed: 3, failed: 4 }, ['0', '1', '2']]);
});

test('a file of a part that is not repeated fails at once', async () => {
  const rows = await play([part('unit', 'busy', { a: failsTimes(1) }, false)]);
  expect(rows).toMatchObject([{ passed: 0, failed: 1, flaky: [] }]);
  expect(diary).toEqual(['unit']);
});

test('a repeat that plays nothing, or finds nothing to be played on, is a second failure', async () => {
  const parts = [part('stories', 'waiting', { a: failsTimes(1) })];
  const nothing = await play(parts, {
    play: async (_, only) => outcomeOf(only === undefined ? [await script('a', 'false')] : [], 0),
  });
  expect(totalOf(nothing).failed).toBe(1);
  const nowhere = await play(parts, { renew: () => Promise.reject(new Error('the cluster "test" did not start')) });
  expect(totalOf(nowhere).failed).toBe(1);
});

test('the lanes run side by side, each in its order, and what is alone after both', async () => {
  // Each waits for a file that the other lane writes.
  const until = (name: string) => `until test -e ${name}; do sleep 0.01; done`;
  const rows = await play([
    part('verify', 'busy', { v: `touch verified; ${until('told')}` }),
    part('unit', 'busy', { u: PASSES }),
    part('stories', 'waiting', { s: `${until('verified')}; touch told` }),
    part('machine', 'alone', { m: 'test -e told' }),
  ]);
  expect(rows.map(({ name, failed }) => [name, failed])).toEqual([
    ['verify', 0],
    ['unit', 0],
    ['stories', 0],
    ['machine', 0],
  ]);
  expect(diary.indexOf('unit')).toBeGreaterThan(diary.indexOf('verify'));
  expect(diary.slice(-2)).toEqual(['machine may begin', 'machine']);
});

test('a lane that is through takes a busy part that the other has not begun', async () => {
  const until = (name: string) => `until test -e ${name}; do sleep 0.01; done`;
  const rows = await play([
    part('verify', 'busy', { v: until('told') }),
    part('unit', 'busy', { u: 'touch told' }),
    part('stories', 'waiting', { s: PASSES }),
  ]);
  expect(rows.map(({ name, failed }) => [name, failed])).toEqual([
    ['verify', 0],
    ['unit', 0],
    ['stories', 0],
  ]);
  expect(diary).toEqual(['verify', 'stories', 'unit']);
});

test('a part that cannot be played is one failure', async () => {
  const rows = await play([part('stories', 'waiting', { a: PASSES })], {
    ready: () => Promise.reject(new Error('the cluster "test" did not start')),
  });
  expect(rows).toMatchObject([{ name: 'stories', passed: 0, failed: 1, files: [] }]);
});

test('a part that throws is one failure, and hides nothing of its lane or the other', async () => {
  const rows = await play(
    [part('verify', 'busy', { a: PASSES }), part('unit', 'busy', {}), part('stories', 'waiting', { b: PASSES })],
    {
      play: async ({ name, files }) => {
        if (name === 'verify') throw new Error('no such program');
        return outcomeOf(await Promise.all(Object.entries(files).map(([file, text]) => script(file, text))), 0);
      },
    },
  );
  expect(rows).toMatchObject([
    { name: 'verify', passed: 0, failed: 1 },
    { name: 'unit', failed: 0 },
    { name: 'stories', passed: 1, failed: 0 },
  ]);
});

test('a run that is given up ends what is under way, begins nothing more and repeats nothing', async () => {
  const rows = await play(
    [
      part('unit', 'busy', { u: PASSES }),
      part('stories', 'waiting', { s: 'sleep 1000' }),
      part('web', 'waiting', { w: PASSES }),
    ],
    { ended: ({ name }) => name === 'unit' && stop.abort() },
  );
  expect(rows.map(({ name, failed }) => [name, failed])).toEqual([
    ['unit', 0],
    ['stories', 1],
  ]);
  expect(diary).not.toContain('stories s again');
});

test('what plays alone is repeated before the next begins', async () => {
  await play([part('scale', 'alone', { a: failsTimes(1) }), part('machine', 'alone', { b: PASSES })]);
  expect(diary).toEqual([
    'scale may begin',
    'scale',
    'scale as new',
    'scale a again',
    'scale: broken, .',
    'machine may begin',
    'machine',
  ]);
});
