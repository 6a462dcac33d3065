// The trainer's own tests, in Python: recipes with any Python 3, evaluations with two packages, the rest in its image's root, if this machine
// has it.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { wheelsOf } from '../../hack/images/python-image.ts';
import { TRAINER_LOCK } from '../../hack/images/trainer.ts';
import { runCommand } from '../support/command.ts';
import { pythonWith } from '../support/python-with.ts';
import { trainerPython } from '../support/trainer.ts';

/** Needs nothing but Python. */
const ALONE = ['test_gang.py', 'test_recipe.py'];
const all = readdirSync('trainer/tests').filter((name) => /^test_\w+\.py$/.test(name) && !ALONE.includes(name));
/** Need these packages, of which each Python has wheels. */
const evaluations = all.filter((name) => name.startsWith('test_evaluation'));
const PACKAGES = ['numpy==2.4.6', 'pyarrow==26.0.1'];
const modules = all.filter((name) => !evaluations.includes(name));
/** The longest takes a minute on a quiet machine; six where others had both cores. */
const FILE_LIMIT_MS = 900_000;
const python = await trainerPython();
// A pass that looked at nothing must not look like one.
if (!python)
  console.warn('the trainer is tested in part only: `make up` has not made its image here, or this is not root');

const outcome = ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: code === 0 ? '' : stderr });
const found = (stderr: string) => Number(/^Ran (\d+) tests/m.exec(stderr)?.[1]);

test.each(ALONE)(
  'the trainer keeps its promises: %s',
  async (name) => {
    const module = `tests.${name.replace('.py', '')}`;
    const options = ['-m', 'unittest', '--buffer', module];
    const run = await runCommand('env', ['PYTHONPATH=../data-worker', 'python3', ...options], { cwd: 'trainer' });
    expect(outcome(run)).toEqual({ code: 0, said: '' });
    expect(found(run.stderr)).toBeGreaterThan(4);
  },
  FILE_LIMIT_MS,
);

test.each(evaluations)(
  'the trainer keeps its promises: %s',
  async (name) => {
    const program = await pythonWith('trainer-evaluations-1', ['--no-deps', '--only-binary=:all:', ...PACKAGES]);
    const module = `tests.${name.replace('.py', '')}`;
    const options = ['-W', 'ignore::DeprecationWarning', '-m', 'unittest', '--buffer', module];
    const run = await runCommand('env', ['PYTHONPATH=../data-worker', program, ...options], { cwd: 'trainer' });
    expect(outcome(run)).toEqual({ code: 0, said: '' });
    expect(found(run.stderr)).toBeGreaterThan(5);
  },
  FILE_LIMIT_MS,
);

(python ? test.each(modules) : test.skip.each(modules))(
  'the trainer keeps its promises: %s',
  async (name) => {
    const start = `import os, unittest; os.chdir('/room/trainer'); unittest.main(module=None, argv=['', '--buffer', 'tests.${name.replace('.py', '')}'])`;
    const [command, args] = python?.command('-W', 'ignore::DeprecationWarning', '-c', start) ?? ['false', []];
    const run = await runCommand(command, args);
    expect(outcome(run)).toEqual({ code: 0, said: '' });
    expect(found(run.stderr)).toBeGreaterThan(5);
  },
  FILE_LIMIT_MS,
);

test('each package of the lockfile has a version and one checksum', () => {
  const lock = readFileSync(TRAINER_LOCK, 'utf8');
  const lines = lock.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(wheelsOf(lock).length).toBeGreaterThan(50);
  expect(lines.filter((line) => !/^(\S+==\S+ \\| {4}--hash=sha256:[0-9a-f]{64})$/.test(line))).toEqual([]);
});
