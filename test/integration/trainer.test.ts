// The trainer's own tests, in Python: recipes with any Python 3, evaluations with two packages, the rest in its image's root, if this machine
// has it.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BaseShape, bytesOf, type TuneSize, tuneMemory } from '@gantry/contract/models/tune-memory.ts';
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

/** Of small bases, of which the program is less than half; with heads that share keys, and without. */
const BASES = {
  alone: { layers: 4, hidden: 256, inner: 688, vocabulary: 4096, keysAndValues: 512 },
  grouped: { layers: 4, hidden: 512, inner: 1376, vocabulary: 4096, keysAndValues: 512 },
} as const;
const SIZES: readonly (Pick<TuneSize, 'objective' | 'method' | 'batch' | 'maxLength'> & { of: keyof typeof BASES })[] =
  [
    { of: 'alone', objective: 'SFT', method: 'Full', batch: 8, maxLength: 256 },
    { of: 'grouped', objective: 'SFT', method: 'LoRA', batch: 2, maxLength: 512 },
    { of: 'alone', objective: 'DPO', method: 'LoRA', batch: 4, maxLength: 128 },
  ];
const RANK = 16;
const HEADS = 8;

(python ? test : test.skip)(
  'what is estimated that fine-tuning takes of memory without a GPU is what it takes, within a tenth',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-rehearsed-'));
    const cases = SIZES.map(({ of, objective, method, batch, maxLength }) => {
      const { layers, hidden, inner, vocabulary, keysAndValues } = BASES[of];
      const shape = {
        ...{ num_hidden_layers: layers, hidden_size: hidden, intermediate_size: inner, vocab_size: vocabulary },
        num_attention_heads: HEADS,
        num_key_value_heads: (HEADS * keysAndValues) / (2 * hidden),
      };
      return { shape, objective, method, parameters: { batch, maxLength, rank: RANK } };
    });
    const start = `import os, sys, runpy; os.chdir('/room/trainer'); sys.argv = ['', '${folder}', '''${JSON.stringify(cases)}''']; runpy.run_module('tests.rehearsed', run_name='__main__')`;
    const [command, args] = python?.command('-c', start) ?? ['false', []];
    const run = await runCommand(command, args);
    await rm(folder, { recursive: true, force: true });
    expect(outcome(run)).toEqual({ code: 0, said: '' });
    const told: { parameters: number; peakBytes: number; longest: number }[] = run.stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const off = told.map(({ parameters, peakBytes, longest }, at) => {
      const { of, ...size } = SIZES[at] as (typeof SIZES)[number];
      expect(longest).toBe(size.maxLength);
      const shape: BaseShape = { ...BASES[of], isTied: false, isAssumed: false };
      const lines = tuneMemory({ parameters, shape }, { ...size, rank: RANK, hasGpu: false, devices: 1 });
      console.log(`${JSON.stringify(SIZES[at])}: ${bytesOf(lines)} bytes estimated, ${peakBytes} taken`);
      return bytesOf(lines) / peakBytes - 1;
    });
    expect(off).toHaveLength(SIZES.length);
    expect(Math.max(...off.map(Math.abs))).toBeLessThan(0.1);
  },
  FILE_LIMIT_MS,
);

test('each package of the lockfile has a version and one checksum', () => {
  const lock = readFileSync(TRAINER_LOCK, 'utf8');
  const lines = lock.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(wheelsOf(lock).length).toBeGreaterThan(50);
  expect(lines.filter((line) => !/^(\S+==\S+ \\| {4}--hash=sha256:[0-9a-f]{64})$/.test(line))).toEqual([]);
});
