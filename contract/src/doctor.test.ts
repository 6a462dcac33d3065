// The doctor's findings: each reason decides one finding, and its sentences say the same in every language.
import { expect, test } from '@jest/globals';
import { GAP } from './define-kind.ts';
import { ANY_REASONS, CHECK_IDS, CHECK_REASONS, type DoctorReason, findingOf, namesIn, worstOf } from './doctor.ts';
import { words as en } from './words/en/doctor.ts';
import { words as ja } from './words/ja/doctor.ts';
import { words as zh } from './words/zh/doctor.ts';

type Texts = Readonly<Record<string, string>>;
const REASONS = [...Object.values(CHECK_REASONS), ANY_REASONS].flatMap((table) => Object.keys(table)) as DoctorReason[];
const gapsOf = (text = '') => [...new Set([...text.matchAll(GAP)].map(([gap]) => gap))].sort().join();

test('no reason belongs to two checks', () => {
  expect(new Set(REASONS).size).toBe(REASONS.length);
});

test('every check and every reason has its words, and no others are there', () => {
  expect(Object.keys(en.check).sort()).toEqual([...CHECK_IDS].sort());
  expect(Object.keys(en.found).sort()).toEqual([...REASONS].sort());
});

test('what is not as it should be says what to do', () => {
  const asks = REASONS.filter((reason) => !['ok', 'notApplicable'].includes(findingOf(reason)));
  expect(Object.keys(en.todo).sort()).toEqual(asks.sort());
});

test('a sentence has the same gaps in every language, and what to do has none that the evidence is not given', () => {
  const uneven = [...Object.entries(en.found), ...Object.entries(en.todo)].filter(([reason, text]) => {
    const of = (table: { found: Texts; todo: Texts }) =>
      text === (en.todo as Texts)[reason] ? table.todo[reason] : table.found[reason];
    return new Set([text, of(zh), of(ja)].map(gapsOf)).size > 1;
  });
  expect(uneven).toEqual([]);
});

test('the worst finding counts, and nothing found is not applicable', () => {
  expect(worstOf(['ok', 'warning', 'unknown'])).toBe('unknown');
  expect(worstOf(['unknown', 'problem', 'ok'])).toBe('problem');
  expect(worstOf(['ok', 'notApplicable'])).toBe('ok');
  expect(worstOf([])).toBe('notApplicable');
});

test('of many names the first five are shown', () => {
  expect(namesIn(['a', 'b'])).toBe('a, b');
  expect(namesIn(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a, b, c, d, e, … (+2)');
});
