// Starts that are refused to an organisation without credit.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { POLICY_WORDS } from '@gantry/contract/rule-words.ts';
import { scalable } from '../scale.ts';
import { closedWhy, kindsOn, type Policy, scaledTo, scaleOf, sentenceOf } from './policy.ts';

/** The operator says on the namespace that there is no credit. What ends something is never refused. */
export const outOfCredit = (kinds: readonly KindFacts[]): Policy[] =>
  kinds.flatMap((facts) => {
    if (!facts.cost) return [];
    const { make, change } = facts.cost.begins;
    const changes = change.length > 0 ? `(${change.join(' || ')})` : 'false';
    const scales = scalable([facts]).map(scaleOf);
    const grows = `request.?subResource.orValue('') == 'scale' ? ${scaledTo('object')} > ${scaledTo('oldObject')} : `;
    return [
      {
        name: `gantry-out-of-credit-${facts.plural}`,
        on: [kindsOn([facts], 'CREATE', 'UPDATE'), ...scales],
        variables: { why: closedWhy },
        rules: [
          [
            `variables.why == '' || !(request.operation == 'CREATE' ? ${make} : ${scales.length > 0 ? grows : ''}${changes})`,
            sentenceOf(POLICY_WORDS.nothingCostly, { why: 'variables.why' }),
          ],
        ],
      } satisfies Policy,
    ];
  });
