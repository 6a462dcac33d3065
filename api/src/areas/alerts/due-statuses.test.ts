// Whatever can change a policy's status makes it due, and nothing else does.
import { type AlertPolicy, alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import { DueStatuses } from './due-statuses.ts';

const NOW = Date.UTC(2026, 10, 10, 22, 30);
const MINUTE = 60_000;
const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString();
const policy = (spec: object = {}): AlertPolicy =>
  kindObject(alertPolicy, 'hot', {
    namespace: 'org-acme',
    spec: { state: 'Enabled', ...spec },
    status: { phase: 'enabled', evaluatedAt: at(0) },
  }) as AlertPolicy;

let statuses: DueStatuses;
const known = { evaluatedAt: NOW };
const seen = (one: AlertPolicy) => {
  statuses.isRight(one, NOW, 15 * MINUTE);
  return one;
};
beforeEach(() => {
  statuses = new DueStatuses();
});

test('a policy is due until its status was right, and then no more', () => {
  const one = policy();
  expect(statuses.isDue(one, known, NOW)).toBe(true);
  seen(one);
  expect(statuses.isDue(one, known, NOW + 60 * MINUTE)).toBe(false);
});

test.each<[string, (one: AlertPolicy) => AlertPolicy | undefined]>([
  ['it was written', (one) => structuredClone(one)],
  ['something was heard of it', ({ metadata }) => void statuses.heard(metadata.uid ?? '')],
  ['an object of its organisation has come or gone', () => void statuses.moved('org-acme')],
  ['an object of no namespace has come or gone', () => void statuses.moved(undefined)],
  ['it is there no more', () => void statuses.forget(() => false)],
])('a policy is due once %s', (_, happen) => {
  const one = seen(policy());
  expect(statuses.isDue(happen(one) ?? one, known, NOW)).toBe(true);
});

test('what happens to others makes no policy due', () => {
  const one = seen(policy());
  statuses.heard('uid-of-another');
  statuses.moved('org-other');
  statuses.forget((uid) => uid === one.metadata.uid);
  expect(statuses.isDue(one, known, NOW)).toBe(false);
});

test.each([
  ['mute', { mutedUntil: at(10) }],
  ['validity', { validUntil: at(10) }],
])('the end of its %s makes a policy due', (_, spec) => {
  const one = seen(policy({ validUntil: at(20), ...spec }));
  expect(statuses.isDue(one, known, NOW + 10 * MINUTE - 1)).toBe(false);
  expect(statuses.isDue(one, known, NOW + 10 * MINUTE)).toBe(true);
});

test('a policy that keeps silent by a schedule is always due', () => {
  const one = seen(policy({ silences: [{ cron: '0 22 * * *', timeZone: 'UTC', minutes: 60 }] }));
  expect(statuses.isDue(one, known, NOW)).toBe(true);
});

test('an evaluation that is fifteen minutes newer than the status is written', () => {
  const one = seen(policy());
  expect(statuses.isDue(one, { evaluatedAt: NOW + 15 * MINUTE }, NOW)).toBe(false);
  expect(statuses.isDue(one, { evaluatedAt: NOW + 15 * MINUTE + 1 }, NOW)).toBe(true);
});
