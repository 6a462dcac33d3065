// What an organisation without credit may not begin.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { POLICY_WORDS } from '@gantry/contract/rule-words.ts';
import { closedWhy, kindsOn, type Policy, sentenceOf } from './policy.ts';

/**
 * What begins to cost, or costs more, by kind: the operator says on the namespace that there is no credit for it. Making no more
 * than this is refused, whoever asks; what ends something is not.
 */
const SPENDS: Record<string, { make: string; change: readonly string[] }> = {
  gpuinstances: {
    make: 'true',
    change: [
      "(object.spec.power == 'Running' && oldObject.spec.power != 'Running')",
      'object.spec.rebootCount > oldObject.spec.rebootCount',
      'object.spec.homeDisk.sizeGi > oldObject.spec.homeDisk.sizeGi',
    ],
  },
  datadisks: { make: 'true', change: ['object.spec.sizeGi > oldObject.spec.sizeGi'] },
  gpuhosts: {
    make: "object.spec.source == 'rented'",
    change: ['object.spec.months > oldObject.spec.months', 'object.spec.nodes > oldObject.spec.nodes'],
  },
  images: { make: 'has(object.spec.fromInstance)', change: [] },
};

export const outOfCredit = (kinds: readonly KindFacts[]): Policy[] =>
  kinds.flatMap((facts) => {
    const spends = SPENDS[facts.plural];
    if (!spends) return [];
    const changes = spends.change.length > 0 ? `(${spends.change.join(' || ')})` : 'false';
    return [
      {
        name: `gantry-out-of-credit-${facts.plural}`,
        on: [kindsOn([facts], 'CREATE', 'UPDATE')],
        variables: { why: closedWhy },
        rules: [
          [
            `variables.why == '' || !(request.operation == 'CREATE' ? ${spends.make} : ${changes})`,
            sentenceOf(POLICY_WORDS.nothingCostly, { why: 'variables.why' }),
          ],
        ],
      } satisfies Policy,
    ];
  });
