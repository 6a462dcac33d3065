import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import pino from 'pino';

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

test('whatever is logged begins no line of its own', () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  const forged = 'name\n{"level":30,"msg":"forged"}\r\n\u2028\u001b[2K';
  log.info({ user: forged, [forged]: 1 }, forged);
  log.warn({ err: new Error(forged) }, 'failed');
  expect(lines.map((line) => line.trimEnd().split(/[\r\n]/).length)).toEqual([1, 1]);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([forged, 'failed']);
});

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
