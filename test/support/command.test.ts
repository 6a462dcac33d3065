import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { runCommand } from './command.ts';
import { eventually } from './eventually.ts';

test('says what a command wrote and how it ended', async () => {
  expect(await runCommand('sh', ['-c', 'cat; echo no >&2; exit 3'], { input: 'yes' })).toEqual({
    code: 3,
    stdout: 'yes',
    stderr: 'no\n',
  });
});

test('a command that is not there ends with 127 and names it', async () => {
  const { code, stderr } = await runCommand('/no/such/command', []);
  expect(code).toBe(127);
  expect(stderr).toContain('/no/such/command');
});

test('a command that takes too long, or is given up, ends as shells say it', async () => {
  expect((await runCommand('sleep', ['30'], { limitMs: 20 })).code).toBe(143);
  expect((await runCommand('sleep', ['30'], { signal: AbortSignal.timeout(20) })).code).toBe(143);
});

test("a command's children are ended with it, though both ignore signals, and are heard until then", async () => {
  const deaf = `trap '' TERM; sleep 1000 & echo "$!"; wait; sleep 1000`;
  const enough = new AbortController();
  const pid = Promise.withResolvers<string>();
  const ended = runCommand('sh', ['-c', deaf], { signal: enough.signal, killAfterMs: 50, heard: pid.resolve });
  const running = async () =>
    (await readFile(`/proc/${(await pid.promise).trim()}/cmdline`, 'utf8').catch(() => '')) !== '';
  await eventually('it runs', running);
  enough.abort();
  expect((await ended).code).toBe(137);
  await eventually('it is gone', async () => !(await running()));
});

test('a command that ends at its limit leaves nothing behind that ignores it', async () => {
  const ended = runCommand('sh', ['-c', '(trap "" TERM; exec sleep 1000) >/dev/null 2>&1 & echo $!; exec sleep 1000'], {
    limitMs: 200,
    killAfterMs: 60_000,
  });
  const { code, stdout } = await ended;
  expect(code).toBe(143);
  await eventually(
    'it is gone',
    async () => (await readFile(`/proc/${stdout.trim()}/cmdline`, 'utf8').catch(() => '')) === '',
  );
});
