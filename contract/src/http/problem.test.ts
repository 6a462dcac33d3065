import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { GAP } from '../define-kind.ts';
import { isProblemCode, PROBLEM_WORDS, PROBLEMS, problemSentence, statusOf } from './problem.ts';

test('no two problems have one code', () => {
  const codes = Object.values(PROBLEMS);
  expect(codes.length).toBe(new Set(codes).size);
});

test("a code's first three digits are an HTTP error", () => {
  for (const code of Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[]) {
    expect(statusOf(code)).toBeGreaterThanOrEqual(400);
    expect(statusOf(code)).toBeLessThan(600);
  }
});

test('the languages of a row name the same arguments', () => {
  const argumentsOf = (text: string) => [...new Set([...text.matchAll(GAP)].map(([, name]) => name))].sort();
  for (const [name, { en, zh, ja }] of Object.entries(PROBLEM_WORDS)) {
    expect([name, argumentsOf(zh)]).toEqual([name, argumentsOf(en)]);
    expect([name, argumentsOf(ja)]).toEqual([name, argumentsOf(en)]);
  }
});

test('every rule that a field names is a problem, so that it is told in words', () => {
  const source = globSync('contract/src/**/*.ts', { exclude: (path) => path.endsWith('.test.ts') });
  const named = source.flatMap((file) => readFileSync(file, 'utf8').match(/(?<=')[a-z]+(_[a-z]+)*_rule(?=')/g) ?? []);
  expect(named).toContain('amount_rule');
  expect([...new Set(named)].filter((name) => !isProblemCode(name))).toEqual([]);
});

test('numbers fill a sentence', () => {
  expect(problemSentence('too_many_requests', 'en', { seconds: 1 })).toBe('Too many requests; try again in 1 second.');
});
