// The organisation's policy for what nobody uses, and what it has saved.
import * as z from 'zod';
import { currencyCode, money } from '../../fields/amounts.ts';
import { IDLE_DOES, LEAST_IDLE_MINUTES, MOST_IDLE_MINUTES } from '../../fields/idle.ts';
import { defineRoute } from '../../http/define-route.ts';

const tag = 'organization';
const params = z.object({ org_id: z.string().min(1).max(63) });
const time = z.iso.datetime();

const policy = {
  does: z.enum(IDLE_DOES).meta({
    description:
      'Warn: people are told. Act: and instances hibernate, services sleep or stop, jobs stop, fifteen minutes later.',
  }),
  after_minutes: z.int().min(LEAST_IDLE_MINUTES).max(MOST_IDLE_MINUTES).meta({
    description: 'How long nothing may happen before that.',
  }),
};
const view = z.object({ ...policy, is_default: z.boolean().meta({ description: 'Nobody has chosen one.' }) });
export type IdlePolicyView = z.input<typeof view>;

const savings = z.object({
  month: z.string().meta({ description: 'YYYY-MM, UTC.' }),
  saved: z.array(z.object({ currency: currencyCode, amount: money })).meta({
    description:
      'What the policy saved in this month: what stopped things would have cost until they ran again, 30 days each at most.',
  }),
  objects: z.array(
    z.object({
      kind: z.string(),
      name: z.string(),
      uid: z.string(),
      idle_since: time,
      warn_time: time,
      stop_time: time
        .nullable()
        .meta({ description: 'When it was hibernated, put to sleep or stopped; null if it was not.' }),
      end_time: time.nullable().meta({ description: 'When it was used again or ran again; null until then.' }),
      currency: currencyCode,
      per_hour: money,
      saved: money.meta({ description: 'In this month.' }),
    }),
  ),
});
export type IdleSavingsView = z.input<typeof savings>;

export const IDLE_ROUTES = {
  policy: defineRoute({
    id: 'getIdlePolicy',
    method: 'GET',
    path: '/auth/v1/organization/{org_id}/idle-policy',
    tag,
    summary: 'What becomes of instances, services and jobs that nobody uses, unless they say it themselves.',
    access: { right: 'view' },
    params,
    answer: { result: view },
    problems: [],
  }),
  setPolicy: defineRoute({
    id: 'setIdlePolicy',
    method: 'PUT',
    path: '/auth/v1/organization/{org_id}/idle-policy',
    tag,
    summary: 'Sets that.',
    access: { right: 'manage' },
    params,
    body: z.strictObject(policy),
    answer: { result: view },
    problems: [],
  }),
  savings: defineRoute({
    id: 'getIdleSavings',
    method: 'GET',
    path: '/auth/v1/organization/{org_id}/idle-savings',
    tag,
    summary: 'What was idle in this month, and what stopping it saved. At most 500 objects, the newest first.',
    access: { right: 'view' },
    params,
    answer: { result: savings },
    problems: [],
  }),
};
