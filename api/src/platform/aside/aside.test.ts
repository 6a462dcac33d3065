// Threads: what they give back, and what one organisation's work cannot do to the others'.
import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../../../../test/support/command.ts';
import type { redactedText } from '../../areas/models/collected/redact.ts';
import type { readSafetensors } from '../../areas/models/formats/safetensors.ts';
import { safetensorsFile } from '../../areas/models/testing/model-files.ts';
import { Aside, TooMuchWork, taskIn } from './aside.ts';

const MODELS = new URL('../../areas/models/', import.meta.url);
const REDACTED_TEXT = taskIn<typeof redactedText>(new URL('collected/redact.ts', MODELS), 'redactedText');
const SAFETENSORS_HEADER = taskIn<typeof readSafetensors>(new URL('formats/safetensors.ts', MODELS), 'readSafetensors');

const FILE = safetensorsFile({ 'a.weight': ['BF16', [4, 8]] });
const copyOf = () => Uint8Array.from(FILE);
/** Takes many seconds on any machine. */
const HEAVY = `"${'1 '.repeat(20_000_000)}"`;
const endless = (aside: Aside, lane: string, deadlineMs = 1_500) =>
  aside.run(REDACTED_TEXT, [HEAVY], { lane, deadlineMs });

test('a thread gives back what its task makes, and takes the bytes that it is handed', async () => {
  const bytes = copyOf();
  const facts = await new Aside().run(SAFETENSORS_HEADER, [bytes, FILE.length], {
    ...{ lane: 'acme', transfer: [bytes.buffer] },
  });
  expect(facts).toEqual({ parameters: 32, bytes: 64, types: new Map([['BF16', 64]]) });
  expect(bytes.length).toBe(0);
});

test('a small buffer, which shares its memory with others, is copied', async () => {
  const bytes = Buffer.from(FILE);
  const facts = new Aside().run(SAFETENSORS_HEADER, [bytes, FILE.length], {
    ...{ lane: 'acme', transfer: [bytes.buffer as ArrayBuffer] },
  });
  await expect(facts).resolves.toMatchObject({ parameters: 32 });
  expect(bytes.length).toBe(FILE.length);
});

describe('work that does not end', () => {
  test('is ended, and the next has a thread again', async () => {
    const aside = new Aside({ threads: 2 });
    await expect(endless(aside, 'acme', 1)).rejects.toMatchObject({ name: 'TooMuchWork', why: 'time' });
    await expect(aside.run(SAFETENSORS_HEADER, [copyOf(), FILE.length], { lane: 'acme' })).resolves.toMatchObject({
      parameters: 32,
    });
  });

  test('of one organisation leaves a thread to the others', async () => {
    const aside = new Aside({ threads: 2 });
    const order: string[] = [];
    const theirs = [1, 2, 3].map(() => endless(aside, 'acme').catch(() => order.push('acme')));
    const others = aside
      .run(SAFETENSORS_HEADER, [copyOf(), FILE.length], { lane: 'other' })
      .then(() => order.push('other'));
    await Promise.all([...theirs, others]);
    expect(order.indexOf('other')).toBeLessThan(2);
  });

  test('is refused once enough of it waits', async () => {
    const aside = new Aside({ threads: 2, waitingOfLane: 1 });
    const first = endless(aside, 'acme').catch((error: unknown) => error);
    await expect(endless(aside, 'acme')).rejects.toEqual(new TooMuchWork('queue'));
    await expect(aside.run(SAFETENSORS_HEADER, [copyOf(), FILE.length], { lane: 'other' })).resolves.toBeDefined();
    await first;
  });
});

// In a process of its own: Jest's has a limit of memory for all of its threads, which comes before theirs.
const TOO_LARGE = `
import { Aside } from '${new URL('aside.ts', import.meta.url)}';
const aside = new Aside({ threads: 2, memoryMb: 16 });
const limits = { lane: 'acme', deadlineMs: 60_000 };
const task = ${JSON.stringify(REDACTED_TEXT)};
const why = await aside.run(task, ['[' + '[],'.repeat(5_000_000) + '[]]'], limits).catch((error) => error.why);
console.log(why, await aside.run(task, ['["a"]'], limits));
`;

test('work that takes too much memory ends its thread alone', async () => {
  const args = ['--no-warnings', '--input-type=module', '--eval', TOO_LARGE];
  expect(await runCommand(process.execPath, args)).toMatchObject({ stdout: 'memory ["a"]\n', code: 0 });
});
