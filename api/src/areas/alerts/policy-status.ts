// The status of a policy. Pure. The first state that holds counts: disabled, invalid, blocking, alerting, enabled.
import { isDeepStrictEqual } from 'node:util';
import { isOver } from '@gantry/contract/alerts/is-evaluated.ts';
import { alertWords } from '@gantry/contract/alerts/words.ts';
import type { Condition } from '@gantry/contract/define-kind.ts';
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import {
  type AlertPolicy,
  type AlertPolicyPhase,
  type AlertPolicyReason,
  type AlertPolicyStatus,
  alertPolicy,
} from '@gantry/contract/kinds/alert-policy.ts';
import { nextCondition, rfc3339 } from '@gantry/contract/next-condition.ts';
import { said } from '@gantry/contract/said.ts';
import { stateBegun } from '@gantry/contract/state-begun.ts';
import { channelKey } from './channels.ts';
import type { Verdict } from './evaluator.ts';
import { type DeliveryFailure, isSilenced } from './notifier.ts';

export interface Facts {
  /** Undefined: not evaluated yet. */
  verdict: Verdict | undefined;
  firing: number;
  evaluatedAt: number | undefined;
  /** The watched names that no object has, if the policy watches only such names. */
  missing: readonly string[];
  /** By `channelKey`: why its last notice failed; undefined where it got through. */
  delivery: ReadonlyMap<string, DeliveryFailure | undefined>;
  /** Addresses of its channels that get no mail; undefined: not known yet. */
  unreachable?: readonly string[] | undefined;
}

interface PhaseAndReason {
  phase: AlertPolicyPhase;
  reason: AlertPolicyReason;
  args?: Record<string, string>;
}

function phaseAndReasonOf(policy: AlertPolicy, { verdict, firing, missing }: Facts, now: number): PhaseAndReason {
  const { spec } = policy;
  const mutedUntil = instantOf(spec.mutedUntil);
  if (spec.state === 'Disabled') return { phase: 'disabled', reason: 'Disabled' };
  if (isOver(policy, now)) return { phase: 'invalid', reason: 'Expired', args: { until: spec.validUntil ?? '' } };
  if (missing.length > 0)
    return { phase: 'invalid', reason: 'ObjectGone', args: { names: missing.join(', ').slice(0, 256) } };
  if (verdict && 'detail' in verdict)
    return { phase: 'invalid', reason: verdict.said, args: { detail: verdict.detail } };
  if (verdict?.said === 'NoPrometheus') return { phase: 'invalid', reason: 'NoPrometheus' };
  if (mutedUntil !== undefined && mutedUntil > now)
    return { phase: 'blocking', reason: 'Muted', args: { until: spec.mutedUntil ?? '' } };
  if (isSilenced(policy, now)) return { phase: 'blocking', reason: 'Silenced' };
  if (firing > 0) return { phase: 'alerting', reason: 'Firing', args: { count: `${firing}` } };
  return { phase: 'enabled', reason: verdict?.said === 'NoData' ? 'NoData' : 'Watching' };
}

const { reasons } = alertPolicy;
const KNOWN = { Evaluated: 'True', NoData: 'True', Incomplete: 'Unknown', PrometheusAway: 'Unknown' } as const;

function conditionsOf(
  { spec, status }: AlertPolicy,
  { verdict, delivery, unreachable }: Facts,
  now: number,
): Condition[] {
  const known = status?.conditions ?? [];
  const wanted: Parameters<typeof nextCondition>[1][] = [];
  if (verdict && verdict.said in KNOWN) {
    const reason = verdict.said as keyof typeof KNOWN;
    wanted.push({ type: 'Evaluated', status: KNOWN[reason], reason, message: reasons[reason].en });
  }
  if (unreachable !== undefined && spec.channels.some(({ type, to }) => type === 'Mail' && to !== undefined)) {
    const reason = unreachable.length > 0 ? 'Unconfirmed' : 'Reachable';
    const { message, args } = said(reasons[reason], { addresses: unreachable.join(', ').slice(0, 256) });
    const ifAny = unreachable.length > 0 && { args };
    wanted.push({ type: 'Recipients', status: unreachable.length > 0 ? 'False' : 'True', reason, message, ...ifAny });
  }
  const heard = spec.channels.filter((channel) => delivery.has(channelKey(channel)));
  const failed = heard.find((channel) => delivery.get(channelKey(channel)));
  const failure = failed && delivery.get(channelKey(failed));
  if (failure) {
    const row = alertWords.failures[failure.reason as keyof typeof alertWords.failures];
    const { message, args } = said(reasons.NotDelivered, {
      channel: said(alertWords.channels[failed.type]),
      detail: row ? said(row, failure.args) : failure.reason,
    });
    const key = channelKey(failed);
    wanted.push({ type: 'Notified', status: 'False', reason: 'NotDelivered', message, args: { ...args, key } });
  } else if (heard.length > 0)
    wanted.push({ type: 'Notified', status: 'True', reason: 'Delivered', message: reasons.Delivered.en });
  const types = wanted.map(({ type }) => type);
  const keys = spec.channels.map(channelKey);
  // A warning about a channel that the policy no longer has goes with it.
  const isKept = ({ type, args }: Condition) =>
    !types.includes(type) &&
    type !== 'Recipients' &&
    !(type === 'Notified' && args?.key !== undefined && !keys.includes(args.key));
  return [...known.filter(isKept), ...wanted.map((one) => nextCondition(known, one, now))];
}

/** The deliveries of the channels that the policy still has. */
export const deliveryAfter = (
  { spec }: AlertPolicy,
  known: Facts['delivery'],
  channel: string,
  failure: DeliveryFailure | undefined,
): Facts['delivery'] => {
  const keys = spec.channels.map(channelKey);
  return new Map([...known, [channel, failure] as const].filter(([key]) => keys.includes(key)));
};

const LEAST_STALE_MS = 60_000;
const MOST_STALE_MS = 15 * 60_000;
/** How long a status may be older than the last evaluation: each write costs all who watch, and ten a second are enough. */
export const staleMs = (policies: number): number => Math.min(MOST_STALE_MS, Math.max(LEAST_STALE_MS, policies * 100));

/** The fields to patch; undefined if they are so already. */
export function nextStatus(
  policy: AlertPolicy,
  facts: Facts,
  now: number,
  stale = MOST_STALE_MS,
): Partial<AlertPolicyStatus> | undefined {
  const { status = {} as AlertPolicyStatus, metadata } = policy;
  const { phase, reason, args = {} } = phaseAndReasonOf(policy, facts, now);
  const { message } = said(reasons[reason], args);
  const conditions = conditionsOf(policy, facts, now);
  const { firing, evaluatedAt } = facts;
  const wanted = {
    ...{ phase, reason, message, firing, conditions },
    reasonArgs: Object.keys(args).length > 0 ? args : null,
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
  };
  const isStale = evaluatedAt !== undefined && evaluatedAt - (instantOf(status.evaluatedAt) ?? 0) > stale;
  const is: Record<string, unknown> = { ...status, reasonArgs: status.reasonArgs ?? null };
  // The API server answers with the fields of conditions in another order.
  const isNews = Object.entries(wanted).some(([field, value]) => !isDeepStrictEqual(is[field], value));
  if (!isNews && !isStale) return undefined;
  return {
    ...wanted,
    ...stateBegun(policy, { phase, reason, reasonArgs: args }, now),
    ...(evaluatedAt !== undefined && { evaluatedAt: rfc3339(evaluatedAt) }),
  } as Partial<AlertPolicyStatus>;
}
