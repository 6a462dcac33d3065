import { expect, test } from '@jest/globals';
import { runCommand } from './command.ts';

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
