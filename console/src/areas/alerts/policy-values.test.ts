import { alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { expect, test } from '@jest/globals';
import { EMPTY_POLICY, linkedValues, NEW_RULE, policyBody, policyChange, policyValuesOf } from './policy-values.ts';
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

/** Every field of a policy, with what only kubectl would write: an offset, an empty label, commas within a value. */
const FULL = {
  ...{ displayName: 'one', state: 'Disabled', validUntil: '2027-01-01T08:00:30+08:00' },
  objects: { kind: 'Job', names: ['a', 'b'], labels: { team: 'red', 'example.org/x': '' } },
  metric: 'GpuUtilization',
  ...{ aggregation: 'Last', periodSeconds: 300, groupBy: ['gpu', 'pod'] },
  filters: [
    { label: 'gpu', operator: 'NotIn', values: ['0', 'a,b', ''] },
    { label: 'pod', operator: 'In', values: ['x'] },
  ],
  rules: [
    { type: 'Threshold', compare: 'AtMost', value: -1.5, level: 'Info' },
    { type: 'WeekOverWeek', compare: 'Above', value: 50, level: 'Critical' },
    { type: 'NoData', level: 'Warning' },
  ],
  ...{ begins: { met: 3, of: 5 }, endsAfter: 4 },
  convergence: { waitSeconds: 30, repeatMinutes: 60, mostPerHour: 7 },
  mutedUntil: '2099-12-01T00:00:00.5Z',
  silences: [{ cron: '0 22 * * 1-5', timeZone: 'Asia/Tokyo', minutes: 480 }],
  channels: [
    { type: 'Bell', afterMinutes: 0 },
    { type: 'Mail', to: 'a@example.org', levels: ['Warning', 'Critical'], afterMinutes: 15 },
    { type: 'Mail', afterMinutes: 0 },
    { type: 'SMS', to: 'ann', afterMinutes: 30 },
    { type: 'Webhook', to: 'ops', afterMinutes: 0 },
    { type: 'Slack', to: 'room', levels: ['Critical'], afterMinutes: 0 },
    { type: 'DingTalk', to: 'robot', afterMinutes: 0 },
  ],
  ...{ language: 'ja', title: '{{policy}}!', content: 'one\ntwo ' },
};
const spec = write.parse(FULL);
const policy = { id: 'alp-1', name: 'one', spec } as Parameters<typeof policyValuesOf>[0];

test('a policy with every field goes through the form unchanged', () => {
  const fields = Object.keys((write as unknown as { shape: object }).shape);
  expect([...Object.keys(FULL), 'query'].sort()).toEqual(fields.sort());
  const values = policyValuesOf(policy);
  expect(policyBody(values)).toEqual(FULL);
  expect(write.parse(policyBody(values))).toEqual(spec);
  expect(policyChange(values, values)).toEqual({});
});

test('a change has the fields that differ, and takes away those that are empty now', () => {
  const values = policyValuesOf(policy);
  const [first, ...others] = values.rules;
  const rules = [{ ...NEW_RULE, ...first, value: 90 }, ...others];
  expect(policyChange(values, { ...values, rules, content: '', silences: [], metric: 'Failed' })).toEqual({
    rules: [{ ...FULL.rules[0], value: 90 }, ...FULL.rules.slice(1)],
    ...{ content: null, silences: null, metric: 'Failed' },
  });
  expect(policyChange(values, { ...values, metric: '', query: 'up' })).toEqual({
    ...{ objects: { kind: FULL.objects.kind }, metric: null, query: 'up' },
  });
});

test('what is over, old or ignored is not sent again', () => {
  const spec = {
    objects: { kind: 'Job', names: ['a'], labels: { team: 'red' } },
    query: 'up == 0',
    rules: [{ type: 'YearOverYear', compare: 'Above', value: 50, level: 'Info' }],
    mutedUntil: '2000-01-01T00:00:00Z',
  };
  const body = policyBody(policyValuesOf({ id: 'alp-1', name: 'one', spec } as never));
  expect(body).toMatchObject({ objects: { kind: 'Job' }, query: 'up == 0', rules: [{ type: 'WeekOverWeek' }] });
  expect([body.objects, body.mutedUntil]).toEqual([{ kind: 'Job' }, undefined]);
});
