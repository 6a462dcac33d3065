// The status of a policy about which several things are true at once.
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import { type AlertPolicy, type AlertPolicySpec, alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { localized } from '@gantry/contract/localized.ts';
import { describe, expect, test } from '@jest/globals';
import type { DeliveryFailure } from './notifier.ts';
import { deliveryAfter, type Facts, nextStatus, staleMs } from './policy-status.ts';

/** A Tuesday, half past ten in the evening. */
const NOW = Date.UTC(2026, 10, 10, 22, 30);
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const NIGHTLY = { cron: '0 22 * * *', timeZone: 'UTC', minutes: 60 };

const policy = (spec: Partial<AlertPolicySpec>): AlertPolicy => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'AlertPolicy',
  metadata: { name: 'hot', namespace: 'org-acme', uid: 'uid-hot' },
  spec: {
    state: 'Enabled',
    objects: { kind: 'GpuInstance', names: ['dev'] },
    metric: 'GpuTemperature',
    aggregation: 'Maximum',
    periodSeconds: 60,
    rules: [{ type: 'Threshold', compare: 'Above', value: 85, level: 'Critical' }],
    begins: { met: 1, of: 1 },
    endsAfter: 1,
    convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: 20 },
    channels: [{ type: 'Bell', afterMinutes: 0 }],
    ...spec,
  },
});
const facts = (over: Partial<Facts> = {}): Facts => ({
  ...{ verdict: { said: 'Evaluated' }, firing: 0, evaluatedAt: NOW, missing: [], delivery: new Map() },
  ...over,
});
const phaseAndReason = (spec: Partial<AlertPolicySpec>, over: Partial<Facts> = {}) => {
  const { phase, reason } = nextStatus(policy(spec), facts(over), NOW) ?? {};
  return `${phase} ${reason}`;
};

describe('a state', () => {
  // Each row takes away what decided the row above it.
  const disabled = { state: 'Disabled' as const };
  const expired = { validUntil: at(0) };
  const muted = { mutedUntil: at(1) };
  const silenced = { silences: [NIGHTLY] };
  const gone = { missing: ['dev'] };
  const refused = { verdict: { said: 'QueryRefused' as const, detail: 'why' } };
  test.each<[string, Partial<AlertPolicySpec>, Partial<Facts>]>([
    ['disabled Disabled', { ...disabled, ...expired, ...muted, ...silenced }, { ...gone, ...refused, firing: 1 }],
    ['invalid Expired', { ...expired, ...muted, ...silenced }, { ...gone, ...refused, firing: 1 }],
    ['invalid ObjectGone', { ...muted, ...silenced }, { ...gone, ...refused, firing: 1 }],
    ['invalid QueryRefused', { ...muted, ...silenced }, { ...refused, firing: 1 }],
    ['invalid NoPrometheus', { ...muted, ...silenced }, { verdict: { said: 'NoPrometheus' }, firing: 1 }],
    ['blocking Muted', { ...muted, ...silenced }, { firing: 1 }],
    ['blocking Silenced', silenced, { firing: 1 }],
    ['alerting Firing', {}, { firing: 1 }],
    ['enabled Watching', {}, {}],
    ['enabled NoData', {}, { verdict: { said: 'NoData' } }],
    ['alerting Firing', {}, { verdict: { said: 'NoData' }, firing: 1 }],
  ])('%s comes before all below it', (expected, spec, over) => {
    expect(phaseAndReason(spec, over)).toBe(expected);
  });

  test('of what is over, or not yet, is that of a policy without it', () => {
    const over = { validUntil: at(1), mutedUntil: at(0), silences: [{ ...NIGHTLY, minutes: 30 }] };
    expect(phaseAndReason(over)).toBe('enabled Watching');
    expect(phaseAndReason({ silences: [{ ...NIGHTLY, minutes: 31 }] })).toBe('blocking Silenced');
    // In Tokyo it is half past seven in the morning.
    expect(phaseAndReason({ silences: [{ ...NIGHTLY, timeZone: 'Asia/Tokyo' }] })).toBe('enabled Watching');
  });
});

test('a policy names the objects that are gone, and when it ended', () => {
  expect(nextStatus(policy({}), facts({ missing: ['dev', 'two'] }), NOW)).toMatchObject({
    reasonArgs: { names: 'dev, two' },
    message: expect.stringContaining('dev, two'),
  });
  expect(nextStatus(policy({ validUntil: at(-1) }), facts(), NOW)?.reasonArgs).toEqual({ until: at(-1) });
});

test('whether values are known, and notices delivered, are conditions beside the state', () => {
  const failure = { reason: 'answered', args: { status: '500' } };
  const channels = [
    { type: 'Bell' as const, afterMinutes: 0 },
    { type: 'Webhook' as const, to: 'ops', afterMinutes: 0 },
  ];
  const said = (over: Partial<Facts>) =>
    nextStatus(policy({ channels }), facts({ firing: 1, ...over }), NOW)?.conditions?.map(
      ({ type, status, reason }) => `${type} ${status} ${reason}`,
    );
  expect(said({})).toEqual(['Evaluated True Evaluated']);
  expect(said({ verdict: { said: 'PrometheusAway' } })).toEqual(['Evaluated Unknown PrometheusAway']);
  expect(said({ verdict: { said: 'Incomplete' }, delivery: new Map([['Webhook/ops', failure]]) })).toEqual([
    'Evaluated Unknown Incomplete',
    'Notified False NotDelivered',
  ]);
  const bell = ['Bell', undefined] as const;
  // A delivery over one channel does not hide that another fails.
  expect(said({ delivery: new Map([['Webhook/ops', failure], bell]) })).toEqual([
    'Evaluated True Evaluated',
    'Notified False NotDelivered',
  ]);
  // Another channel of before says nothing of those that there are.
  expect(said({ delivery: new Map([['Mail', failure], bell]) })).toEqual([
    'Evaluated True Evaluated',
    'Notified True Delivered',
  ]);
  expect(said({ delivery: new Map([['Mail', failure]]) })).toEqual(['Evaluated True Evaluated']);
});

const HOOK = { type: 'Webhook' as const, to: 'ops', afterMinutes: 0 };
const BELL = { type: 'Bell' as const, afterMinutes: 0 };
const refused: DeliveryFailure = { reason: 'refused', args: { detail: 'no robot' } };
const notified = (of: AlertPolicy, delivery: Facts['delivery']) =>
  nextStatus(of, facts({ delivery }), NOW)?.conditions?.find(({ type }) => type === 'Notified');

test('a notice that failed is told in the reader’s language, the channel and the cause as well', () => {
  const condition = notified(policy({ channels: [{ ...BELL, type: 'Mail' }] }), new Map([['Mail', refused]]));
  expect(LANGUAGES.map((language) => localized(alertPolicy, condition ?? {}, language))).toEqual([
    'The last notification by Mail failed: the receiver refused it: no robot',
    expect.stringMatching(/^最近一次通过邮件的通知失败：[^a-z]+no robot$/),
    expect.stringMatching(/^メールによる最後の通知に失敗しました：[^a-z]+no robot$/),
  ]);
});

test('a warning about a channel goes with it, and stays through a hand-over while the policy has it', () => {
  const before = policy({ channels: [BELL, HOOK] });
  const status = nextStatus(before, facts({ delivery: new Map([['Webhook/ops', refused]]) }), NOW);
  const after = (channels: AlertPolicySpec['channels']) =>
    notified({ ...policy({ channels }), status } as AlertPolicy, new Map());
  expect(after([BELL])).toBeUndefined();
  expect(after([BELL, { ...HOOK, to: 'other' }])).toBeUndefined();
  // Only what changes is written.
  const changed = { ...policy({ channels: [HOOK], state: 'Disabled' }), status } as AlertPolicy;
  expect(notified(changed, new Map())).toMatchObject({ status: 'False', reason: 'NotDelivered' });
});

test('what channels delivered that the policy no longer has is forgotten', () => {
  const known = new Map([['Mail', refused]]);
  expect([...deliveryAfter(policy({ channels: [BELL, HOOK] }), known, 'Webhook/ops', refused)]).toEqual([
    ['Webhook/ops', refused],
  ]);
  expect(deliveryAfter(policy({ channels: [BELL] }), known, 'Webhook/ops', refused).size).toBe(0);
});

test('what is said already is written again only once the last evaluation is long ago', () => {
  const one = policy({});
  const status = nextStatus(one, facts(), NOW) as NonNullable<AlertPolicy['status']>;
  // The API server keeps no order of fields.
  const conditions = status.conditions?.map((one) => Object.fromEntries(Object.entries(one).reverse()));
  const said = { ...one, status: { ...status, conditions } } as AlertPolicy;
  const after = (minutes: number) => nextStatus(said, facts({ evaluatedAt: NOW + minutes * 60_000 }), NOW);
  expect([after(15), after(16)?.evaluatedAt]).toEqual([undefined, '2026-11-10T22:46:00Z']);
});

test.each([
  [1, 1],
  [600, 1],
  [3_000, 5],
  [10_000, 15],
])('of %s policies the time of the last evaluation is %s minutes old at most', (policies, minutes) => {
  expect(staleMs(policies)).toBe(minutes * 60_000);
});
