// What a task's view says of its units and of its worker's last word.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { canDo } from '../define-kind.ts';
import { type DataProcess, dataProcess } from './data-process.ts';
import { showDataProcess } from './data-process-view.ts';
import { MASKED_WORDS, REMOVED_WORDS, UNIT_REASONS, WORKER_PROBLEMS } from './data-process-words.ts';

const RUN = { seq: 2, cause: 'first', runCount: 0 };
const taskOf = (status: object) =>
  ({
    metadata: { name: 'dpr-1' },
    spec: { power: 'Running', runCount: 0, type: 'Clean', input: {}, output: {}, cores: 1, memoryGi: 2 },
    status: { phase: 'success', run: RUN, ...status },
  }) as unknown as DataProcess;
const shown = (status: object, language: 'en' | 'zh' | 'ja' = 'en') =>
  showDataProcess(taskOf(status), { phase: 'success' } as never, { language, price: null } as never);
const progress = { run: 2, done: 5, of: 10, failed: 1, rejected: 0, at: '2026-11-30T00:00:00Z' };

test('skipped units are counted for themselves, and are over', () => {
  expect(shown({ progress: { ...progress, skipped: 2 } }).progress).toMatchObject({ done: 5, skipped: 2, percent: 80 });
  expect(shown({ progress }).progress).toMatchObject({ skipped: 0, percent: 60 });
});

test('what was removed and masked has labels in the reader’s language; what nobody knows has its name', () => {
  const outcome = { run: 2, removed: { Duplicate: 4, Odd: 1 }, masked: { 'my-number': 2 } };
  expect(shown({ outcome }, 'zh').outcome).toEqual({
    problem: null,
    removed: [
      { what: 'Duplicate', label: '重复', count: 4 },
      { what: 'Odd', label: 'Odd', count: 1 },
    ],
    masked: [{ what: 'my-number', label: '日本个人编号', count: 2 }],
  });
  expect(shown({ outcome: { ...outcome, run: 1 } }).outcome).toBeNull();
  expect(shown({}).outcome).toBeNull();
});

test('why a worker gave up is said in the reader’s language, or in its own words without markup', () => {
  const problem = (code: string, sentence: string, args?: object) =>
    shown({ outcome: { run: 2, problem: { code, sentence, ...(args && { args }) } } }, 'zh').outcome?.problem;
  expect(problem('TooManyUnits', 'Too many.', { most: '9' })).toBe('输入超过 9 个单元。');
  expect(problem('TableBroken', 'Bad <b>magic</b>')).toBe('无法读取表格：Bad magic');
  // Without its number the sentence would have a gap.
  expect(problem('TooManyUnits', 'Too many.')).toBe('Too many.');
  expect(problem('Odd', `<img src=x>${'y'.repeat(500)}`)).toBe('y'.repeat(300));
});

test('failed units of the newest run can be tried again', () => {
  const can = (status: object) => canDo(dataProcess, 'tryAgain', taskOf({ run: { ...RUN, endedAt: 'x' }, ...status }));
  expect(can({ progress })).toBe(true);
  expect(can({ progress: { ...progress, failed: 0 } })).toBe(false);
  expect(can({ progress: { ...progress, run: 1 } })).toBe(false);
  expect(can({})).toBe(false);
  expect(can({ progress, phase: 'processing', run: RUN })).toBe(false);
});

const worker = (file: string): string => readFileSync(`data-worker/gantry_worker/task/${file}`, 'utf8');
const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, one = '']) => one);

test('every code that the worker has is one that has words', () => {
  const reasons = /REASONS = \{(.*?)\n\}/s.exec(worker('outputs.py'))?.[1] ?? '';
  const units = found(reasons, /^ {4}"(\w+)":/gm).filter((code) => !Object.hasOwn(REMOVED_WORDS, code));
  expect(Object.keys(UNIT_REASONS).sort()).toEqual([...units, 'NoText'].sort());
  expect(Object.keys(REMOVED_WORDS).every((code) => reasons.includes(`"${code}"`))).toBe(true);
  const kinds = new Set(found(worker('personal.py'), /^ {4}\("([a-z-]+)", r/gm));
  expect(Object.keys(MASKED_WORDS).sort()).toEqual([...kinds].sort());
  const files = ['clean.py', 'convert.py', 'headings.py', 'model.py', 'kept.py', 'run.py', 'split.py', 'work.py'];
  const problems = files.flatMap((file) => found(worker(file), /Problem\("(\w+)"/g));
  expect(problems.filter((code) => !Object.hasOwn(WORKER_PROBLEMS, code))).toEqual([]);
});
