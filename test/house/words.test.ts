// Rules for words that the compiler cannot check: a sentence says the same in each language.
import { GAP, type KindFacts, type Words } from '@gantry/contract/define-kind.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { expect, test } from '@jest/globals';

const sentencesOf = (facts: KindFacts): readonly Words[] => [
  facts.words,
  ...(['phases', 'reasons', 'actions', 'ruleWords'] as const).flatMap((list) => Object.values<Words>(facts[list])),
];

const gapsOf = (sentence: string) => [...new Set([...sentence.matchAll(GAP)].map(([gap]) => gap))].sort().join();

test.each(Object.values<KindFacts>(KINDS))(
  'sentences of $kind say something, with the same gaps, in every language',
  (facts) => {
    const uneven = sentencesOf(facts).filter(({ en, zh, ja }) => {
      const texts = [en, zh, ja];
      return new Set(texts.map(gapsOf)).size > 1 || texts.some((text) => text.trim() === '');
    });
    expect(uneven).toEqual([]);
  },
);
