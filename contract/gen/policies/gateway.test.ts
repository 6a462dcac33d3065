// Pods that the gateway reaches as itself. The API server itself is asked in test/integration/policies.test.ts.
import { fillPodName } from '@gantry/contract/names.ts';
import { expect, test } from '@jest/globals';
import { gatewayPolicies } from './gateway.ts';

const rules = gatewayPolicies([]).find(({ name }) => name === 'gantry-gateway-pods')?.rules ?? [];
const forms = rules.flatMap(([rule]) =>
  [...rule.matchAll(/request\.name\.matches\('([^']+)'\)/g)].map(([, form]) => form),
);

test.each([
  ['chat-model-7b4d6-bcdfg', true],
  ['chat-group-0-1', true],
  [fillPodName('chat', '49157f617dd846f1'), true],
  [fillPodName('chat-1', '0123456789abcdef'), true],
  ['chat.fill-49157f617dd846f1-verify-24567', false],
  ['chat.fill-49157f617dd846f', false],
  ['chat-fill-49157f617dd846f1', false],
  ['dev-1', false],
])('that it reaches %s: %s', (name, isReached) => {
  expect(forms.some((form) => new RegExp(form ?? '').test(name))).toBe(isReached);
});
