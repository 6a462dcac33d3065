import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';

const PROGRAM = `
  import { openLog } from '${new URL('log.ts', import.meta.url)}';
  const log = openLog('info');
  process.stdin.once('data', () => {
    log.info('one');
    log.info('two');
    process.exit(0);
  });
  console.error('ready');
`;

const start = async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], { stdio: 'pipe' });
  await once(child.stderr, 'data');
  return child;
};

test('every line is out when the process ends', async () => {
  const child = await start();
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  child.stdin.write('go');
  await once(child, 'close');
  const messages = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(messages).toEqual(['one', 'two']);
});

test('a process whose log nobody reads any more still ends', async () => {
  const child = await start();
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.write('go');
  const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(10_000) });
  expect(code).toBe(0);
});
