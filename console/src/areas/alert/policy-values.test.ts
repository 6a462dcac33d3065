import { alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { expect, test } from '@jest/globals';
import { EMPTY_POLICY, linkedValues, policyBody, policyChange, policyValuesOf } from './policy-values.ts';
import { TEMPLATES, templateOf } from './templates.ts';

const write = alertPolicy.api.writes.create;

test.each(Object.entries(TEMPLATES))('the template %s is a policy that the API takes', (_name, template) => {
  const body = policyBody({ ...EMPTY_POLICY, ...template, displayName: 'one' });
  expect(write.safeParse(body)).toMatchObject({ success: true });
});

test('a link begins a policy on its object, and names what is none of ours in vain', () => {
  const asked = new URLSearchParams({ template: 'failedJob', kind: 'GpuHost', names: 'hst-1' });
  const values = linkedValues(templateOf(asked.get('template')), asked);
  expect(policyBody({ ...values, displayName: 'one' })).toMatchObject({
    objects: { kind: 'GpuHost', names: ['hst-1'] },
    metric: 'Failed',
  });
  expect(linkedValues(templateOf('toString'), new URLSearchParams({ kind: 'Secret' }))).toEqual(EMPTY_POLICY);
});

const spec = write.parse({
  ...policyBody({
    ...EMPTY_POLICY,
    displayName: 'one',
    names: 'a, b',
    contact: 'Slack/ops',
    language: 'ja',
    content: 'x',
  }),
});
const policy = { id: 'alp-1', name: 'one', spec } as Parameters<typeof policyValuesOf>[0];

test('a policy that was read is the same when it is written', () => {
  const values = policyValuesOf(policy);
  expect(policyChange(values, values, policy.spec)).toEqual({});
  expect(write.parse(policyBody(values))).toEqual(spec);
});

test('what the form does not show of a policy stays', () => {
  const before = { ...policy.spec, rules: [...policy.spec.rules, { type: 'NoData' as const, level: 'Info' as const }] };
  const values = policyValuesOf(policy);
  const change = policyChange(values, { ...values, value: 90, content: '' }, before);
  expect(change).toEqual({
    rules: [
      { type: 'Threshold', compare: 'Above', value: 90, level: 'Warning' },
      { type: 'NoData', level: 'Info' },
    ],
    content: null,
  });
});
