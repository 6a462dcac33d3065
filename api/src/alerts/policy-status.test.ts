// What a policy's status says where several things are true at once.
import type { AlertPolicy, AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';
import { describe, expect, test } from '@jest/globals';
import { type Facts, nextStatus } from './policy-status.ts';

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
const standing = (spec: Partial<AlertPolicySpec>, over: Partial<Facts> = {}) => {
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
  ])('%s comes before all below it', (expected, spec, over) => {
    expect(standing(spec, over)).toBe(expected);
  });

  test('of what is over, or not yet, is that of a policy without it', () => {
    const over = { validUntil: at(1), mutedUntil: at(0), silences: [{ ...NIGHTLY, minutes: 30 }] };
    expect(standing(over)).toBe('enabled Watching');
    expect(standing({ silences: [{ ...NIGHTLY, minutes: 31 }] })).toBe('blocking Silenced');
    // In Tokyo it is half past seven in the morning.
    expect(standing({ silences: [{ ...NIGHTLY, timeZone: 'Asia/Tokyo' }] })).toBe('enabled Watching');
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
  // What one channel delivers does not hide that another fails.
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

test('what is said already is written again only once the last evaluation is long ago', () => {
  const one = policy({});
  const status = nextStatus(one, facts(), NOW) as NonNullable<AlertPolicy['status']>;
  const said = { ...one, status };
  const after = (minutes: number) => nextStatus(said, facts({ evaluatedAt: NOW + minutes * 60_000 }), NOW);
  expect([after(15), after(16)?.evaluatedAt]).toEqual([undefined, '2026-11-10T22:46:00Z']);
});
