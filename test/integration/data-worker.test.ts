// The data worker's own tests, in Python, with the packages that its lockfile names.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { DATA_WORKER_LOCK } from '../../hack/images/data-worker.ts';
import { wheelsOf } from '../../hack/images/python-image.ts';
import { runCommand } from '../support/command.ts';
import { pythonWith } from '../support/python-with.ts';

const lock = readFileSync(DATA_WORKER_LOCK, 'utf8');
const modules = readdirSync('data-worker/tests').filter((name) => /^test_\w+\.py$/.test(name));
/** The longest takes 50 s on a quiet machine. */
const FILE_LIMIT_MS = 400_000;
let python: string;

beforeAll(async () => {
  const digest = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const options = ['--require-hashes', '--no-deps', '--only-binary=:all:', '--requirement', DATA_WORKER_LOCK];
  python = await pythonWith(`data-worker-${digest}`, options);
}, 300_000);

test.each(modules)(
  'the data worker keeps its promises: %s',
  async (name) => {
    const args = ['-m', 'unittest', '--buffer', `tests.${name.replace('.py', '')}`];
    const { code, stderr } = await runCommand(python, args, { cwd: 'data-worker' });
    expect({ code, said: code === 0 ? '' : stderr }).toEqual({ code: 0, said: '' });
    // A run that finds no test ends well, too.
    expect(Number(/^Ran (\d+) tests/m.exec(stderr)?.[1])).toBeGreaterThan(5);
  },
  FILE_LIMIT_MS,
);

test('each package of the lockfile has a version and checksums', () => {
  const lines = lock.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(wheelsOf(lock).length).toBeGreaterThan(3);
  expect(lines.filter((line) => !/^(\S+==\S+ \\| {4}--hash=sha256:[0-9a-f]{64}( \\)?)$/.test(line))).toEqual([]);
});
