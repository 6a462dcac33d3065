// A policy as a form holds it, and the bodies that are made of it. What the form does not show of a policy stays as it is.
import { type AlertMetricName, WATCHED_KINDS, type WatchedKind } from '@gantry/contract/alerts/metrics.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { InputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import type { AlertLevel, AlertPolicySpec, PolicyView } from '@gantry/contract/kinds/alert-policy.ts';

export type PolicyBody = InputOf<NonNullable<typeof CALLS.createPolicy.facts>>['body'];
export type PolicyChange = NonNullable<InputOf<NonNullable<typeof CALLS.updatePolicy.facts>>['body']>;
type Rule = AlertPolicySpec['rules'][number];

export interface PolicyValues {
  displayName: string;
  kind: WatchedKind;
  /** Separated by commas. */
  names: string;
  /** Empty: a query. */
  metric: AlertMetricName | '';
  query: string;
  aggregation: AlertPolicySpec['aggregation'];
  periodSeconds: number | undefined;
  groupBy: string;
  type: Rule['type'];
  compare: NonNullable<Rule['compare']>;
  value: number | undefined;
  level: AlertLevel;
  met: number | undefined;
  of: number | undefined;
  endsAfter: number | undefined;
  bell: boolean;
  mail: boolean;
  mailTo: string;
  /** `<type>/<name>`; empty: none. */
  contact: string;
  /** At contact points; empty: the creator's. */
  language: Language | '';
  repeatMinutes: number | undefined;
  content: string;
}

export const EMPTY_POLICY: PolicyValues = {
  displayName: '',
  kind: 'GpuInstance',
  names: '',
  metric: 'GpuTemperature',
  query: '',
  aggregation: 'Average',
  periodSeconds: 60,
  groupBy: '',
  type: 'Threshold',
  compare: 'Above',
  value: 85,
  level: 'Warning',
  met: 1,
  of: 1,
  endsAfter: 1,
  bell: true,
  mail: true,
  mailTo: '',
  contact: '',
  language: '',
  repeatMinutes: 0,
  content: '',
};

/** A new policy as a link begins it, by `kind` and `names`; what is no kind of ours is left out. */
export function linkedValues(template: Partial<PolicyValues>, asked: URLSearchParams): PolicyValues {
  const kind = WATCHED_KINDS.find((one) => one === asked.get('kind'));
  return { ...EMPTY_POLICY, ...template, ...(kind && { kind }), names: asked.get('names') ?? '' };
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

function channelsOf({ bell, mail, mailTo, contact }: PolicyValues) {
  const at = contact.indexOf('/');
  return [
    ...(bell ? [{ type: 'Bell' as const }] : []),
    ...(mail ? [{ type: 'Mail' as const, ...(mailTo.trim() !== '' && { to: mailTo.trim() }) }] : []),
    ...(at < 0 ? [] : [{ type: contact.slice(0, at) as 'Webhook', to: contact.slice(at + 1) }]),
  ];
}

export function policyBody(values: PolicyValues): PolicyBody {
  const { displayName, kind, metric, query, aggregation, periodSeconds, type, compare, value, level } = values;
  const [names, groupBy] = [listOf(values.names), listOf(values.groupBy)];
  return {
    displayName,
    objects: { kind, ...(names.length > 0 && { names }) },
    ...(metric === '' ? { query } : { metric }),
    aggregation,
    periodSeconds: periodSeconds as number,
    ...(groupBy.length > 0 && { groupBy }),
    rules: [type === 'NoData' ? { type, level } : { type, compare, value: value as number, level }],
    begins: { met: values.met as number, of: values.of as number },
    endsAfter: values.endsAfter as number,
    convergence: { repeatMinutes: values.repeatMinutes as number },
    channels: channelsOf(values),
    ...(values.language !== '' && { language: values.language }),
    ...(values.content.trim() !== '' && { content: values.content }),
  };
}

/** Only what differs; null takes an optional field away. */
export function policyChange(before: PolicyValues, after: PolicyValues, spec: PolicyView['spec']): PolicyChange {
  const [was, is] = [policyBody(before), policyBody(after)] as [Record<string, unknown>, Record<string, unknown>];
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = fields.filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]));
  const change: Record<string, unknown> = Object.fromEntries(changed.map((field) => [field, is[field] ?? null]));
  // The form shows the first rule, and no labels: the others stay.
  if (change.rules) change.rules = [...(is.rules as object[]), ...spec.rules.slice(1)];
  if (change.objects && spec.objects.labels)
    change.objects = { ...(is.objects as object), labels: spec.objects.labels };
  if (change.convergence) change.convergence = { ...spec.convergence, ...(is.convergence as object) };
  return change as PolicyChange;
}

export function policyValuesOf({ id, name, spec }: Pick<PolicyView, 'id' | 'name' | 'spec'>): PolicyValues {
  const [rule] = spec.rules;
  const channels = spec.channels ?? [];
  const mail = channels.find(({ type }) => type === 'Mail');
  const outside = channels.find(({ type }) => type === 'Webhook' || type === 'Slack' || type === 'DingTalk');
  const empty = EMPTY_POLICY;
  return {
    displayName: spec.displayName ?? name ?? id,
    kind: spec.objects.kind,
    names: (spec.objects.names ?? []).join(', '),
    metric: spec.metric ?? '',
    query: spec.query ?? '',
    aggregation: spec.aggregation ?? empty.aggregation,
    periodSeconds: spec.periodSeconds ?? empty.periodSeconds,
    groupBy: (spec.groupBy ?? []).join(', '),
    type: rule?.type ?? empty.type,
    compare: rule?.compare ?? empty.compare,
    value: rule?.value ?? empty.value,
    level: rule?.level ?? empty.level,
    met: spec.begins?.met ?? 1,
    of: spec.begins?.of ?? 1,
    endsAfter: spec.endsAfter ?? 1,
    bell: channels.some(({ type }) => type === 'Bell'),
    mail: mail !== undefined,
    mailTo: mail?.to ?? '',
    contact: outside ? `${outside.type}/${outside.to}` : '',
    language: spec.language ?? '',
    repeatMinutes: spec.convergence?.repeatMinutes ?? 0,
    content: spec.content ?? '',
  };
}
