// Whatever a person may read is there in every language, and says the same things in each.

import type { KindFacts, Words } from '@gantry/contract/define-kind.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { expect, test } from '@jest/globals';

const LANGUAGES = ['en', 'zh', 'ja'] as const;

const wordsOf = (facts: KindFacts): [string, Words][] => [
  [`${facts.kind}`, facts.words],
  ...(['phases', 'reasons', 'actions'] as const).flatMap((list) =>
    Object.entries<Words>(facts[list]).map(([name, words]): [string, Words] => [
      `${facts.kind} ${list} ${name}`,
      words,
    ]),
  ),
];

const everything = Object.values<KindFacts>(KINDS).flatMap(wordsOf);
const placeholders = (sentence: string) => [...new Set(sentence.match(/(?<=\{)\w+/g))].sort();

test('every phase, reason and action of every kind has words in every language', () => {
  const missing = everything.flatMap(([name, words]) =>
    LANGUAGES.filter((language) => (words[language] ?? '').trim() === '').map((language) => `${name}: ${language}`),
  );
  expect(missing).toEqual([]);
});

test('a sentence has the same {placeholders} in every language', () => {
  const different = everything.filter(
    ([, words]) => new Set(LANGUAGES.map((language) => placeholders(words[language] ?? '').join())).size > 1,
  );
  expect(different.map(([name]) => name)).toEqual([]);
});
