import { KINDS } from '@gantry/contract/kinds.ts';
import { DOCTOR_ACCOUNT, USAGE_ACCOUNT } from '@gantry/contract/names.ts';
import { expect, test } from '@jest/globals';
import { type Rule, rbacObjects } from './rbac.ts';

interface Role {
  kind: string;
  metadata: { name: string };
  rules?: Rule[];
}
const roles = (rbacObjects(Object.values(KINDS)) as Role[]).filter(({ kind }) => /^(Cluster)?Role$/.test(kind));
const rolesWith = (is: (rule: Rule) => boolean): string[] =>
  roles.filter(({ rules = [] }) => rules.some(is)).map(({ metadata }) => metadata.name);
/** A kubelet asks the API server about these, and about no admission policy. */
const isOfKubelet = ({ resources }: Rule): boolean => resources.some((one) => one.startsWith('nodes/') || one === '*');

test('rights that a kubelet honours belong to accounts that no program runs as', () => {
  expect(rolesWith(isOfKubelet)).toEqual([DOCTOR_ACCOUNT, USAGE_ACCOUNT]);
});

test('nobody makes a token of such an account, nor takes any account for one', () => {
  const tokens = roles.flatMap(({ rules = [] }) =>
    rules.filter(({ resources }) => resources.includes('serviceaccounts/token')),
  );
  expect(tokens).not.toEqual([]);
  for (const { resourceNames = [DOCTOR_ACCOUNT] } of tokens)
    expect([DOCTOR_ACCOUNT, USAGE_ACCOUNT].filter((name) => resourceNames.includes(name))).toEqual([]);
  const acting = roles.flatMap(({ rules = [] }) => rules.filter(({ verbs }) => verbs.includes('impersonate')));
  expect(acting.filter(({ resourceNames = [] }) => resourceNames.length === 0)).toEqual([]);
});
