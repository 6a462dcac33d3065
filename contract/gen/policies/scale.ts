// Policies for `scale`. The API server shows a policy the number alone, as a Scale; the object is among the params.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { POLICY_WORDS } from '@gantry/contract/rule-words.ts';
import { ofTenants, type Policy, scaledTo, scaleOf, sentenceOf } from './policy.ts';

export const scalePolicies = (kinds: readonly KindFacts[]): Policy[] => kinds.map(scaled);

const scaled = (facts: KindFacts): Policy => ({
  name: `gantry-scale-${facts.plural}`,
  on: [scaleOf(facts)],
  params: facts,
  variables: {
    isScaled: `params.metadata.name == object.metadata.name && ${scaledTo('object')} != ${scaledTo('oldObject')}`,
    account: "request.userInfo.username.split(':')[3]",
    starter: 'params.spec.?startedBy.orValue(params.spec.?creator.orValue(variables.account))',
  },
  rules: [
    [
      '!variables.isScaled || !has(params.spec.autoscaling)',
      sentenceOf(POLICY_WORDS.scalesItself, { name: 'params.metadata.name' }),
    ],
    // As of the object itself (`gantry-starter-…`), but a Scale cannot say who pays from now on.
    [
      `!variables.isScaled || !${ofTenants.tenants} || params.spec.power != 'Running' || variables.starter == variables.account`,
      sentenceOf(POLICY_WORDS.scaledByOther, { starter: 'variables.starter', account: 'variables.account' }),
    ],
  ],
});
