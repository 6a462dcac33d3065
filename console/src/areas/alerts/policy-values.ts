// A policy as a form holds it, shaped as its spec, and the bodies that are made of it. Every field of a policy is there, so that an
// edit loses nothing that came from elsewhere.
import { type AlertMetricName, WATCHED_KINDS, type WatchedKind } from '@gantry/contract/alerts/metrics.ts';
import { type RuleType, ruleType } from '@gantry/contract/alerts/rule-types.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { InputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import {
  type AlertChannel,
  type AlertLevel,
  type AlertPolicySpec,
  type PolicyView,
  USUAL_PER_HOUR,
} from '@gantry/contract/kinds/alert-policy.ts';
import { isAhead } from './is-ahead.ts';

export type PolicyBody = InputOf<NonNullable<typeof CALLS.createPolicy.facts>>['body'];
export type PolicyChange = NonNullable<InputOf<NonNullable<typeof CALLS.updatePolicy.facts>>['body']>;
type Spec = PolicyView['spec'];
type Rule = AlertPolicySpec['rules'][number];
type Filter = NonNullable<AlertPolicySpec['filters']>[number];
/** A number's field can be empty. */
type Amount = number | undefined;

export interface RuleValues {
  type: RuleType;
  /** This and the limit are ignored where there is no data. */
  compare: NonNullable<Rule['compare']>;
  value: Amount;
  level: AlertLevel;
}

export interface ChannelValues {
  type: AlertChannel;
  /** Empty: the creator. */
  to: string;
  /** None: all. */
  levels: AlertLevel[];
  afterMinutes: Amount;
}

export interface PolicyValues {
  displayName: string;
  state: AlertPolicySpec['state'];
  /** RFC 3339; empty: for good. */
  validUntil: string;
  objects: { kind: WatchedKind; names: string[]; labels: { name: string; value: string }[] };
  /** Empty: a query. */
  metric: AlertMetricName | '';
  query: string;
  aggregation: AlertPolicySpec['aggregation'];
  periodSeconds: Amount;
  groupBy: string[];
  filters: Required<Filter>[];
  rules: RuleValues[];
  begins: { met: Amount; of: Amount };
  endsAfter: Amount;
  convergence: { waitSeconds: Amount; repeatMinutes: Amount; mostPerHour: Amount };
  /** RFC 3339; empty: not muted. */
  mutedUntil: string;
  silences: { cron: string; timeZone: string; minutes: Amount }[];
  channels: ChannelValues[];
  /** At contact points; empty: the creator's. */
  language: Language | '';
  title: string;
  content: string;
}

export const NEW_RULE: RuleValues = { type: 'Threshold', compare: 'Above', value: 85, level: 'Warning' };
export const newChannel = (type: AlertChannel): ChannelValues => ({ type, to: '', levels: [], afterMinutes: 0 });

export const EMPTY_POLICY: PolicyValues = {
  displayName: '',
  state: 'Enabled',
  validUntil: '',
  objects: { kind: 'GpuInstance', names: [], labels: [] },
  metric: 'GpuTemperature',
  query: '',
  aggregation: 'Average',
  periodSeconds: 60,
  groupBy: [],
  filters: [],
  rules: [NEW_RULE],
  begins: { met: 1, of: 1 },
  endsAfter: 1,
  convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: USUAL_PER_HOUR },
  mutedUntil: '',
  silences: [],
  channels: [newChannel('Bell'), newChannel('Mail')],
  language: '',
  title: '',
  content: '',
};

/** A new policy as a link begins it, by `kind` and `names`; what is no kind of ours is left out. */
export function linkedValues(template: Partial<PolicyValues>, asked: URLSearchParams): PolicyValues {
  const first = { ...EMPTY_POLICY, ...template };
  const kind = WATCHED_KINDS.find((one) => one === asked.get('kind')) ?? first.objects.kind;
  const names = (asked.get('names') ?? '').split(',').filter((name) => name !== '');
  return { ...first, objects: { ...first.objects, kind, names } };
}

/** The named members whose text or list is not empty. */
const filled = <Row extends object>(row: Row): Partial<Row> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value.length > 0)) as Partial<Row>;

function ruleOf({ type, compare, value, level }: RuleValues) {
  return type === 'NoData' ? { type, level } : { type, compare, value, level };
}

const channelOf = ({ type, to, levels, afterMinutes }: ChannelValues) => ({
  type,
  ...(type !== 'Bell' && filled({ to: to.trim() })),
  ...filled({ levels }),
  afterMinutes,
});

export function policyBody(values: PolicyValues): PolicyBody {
  const { displayName, state, metric, query, aggregation, periodSeconds, begins, endsAfter, convergence } = values;
  // A query chooses its series itself.
  const { kind, names, labels } = metric === '' ? { ...values.objects, names: [], labels: [] } : values.objects;
  const { validUntil, groupBy, filters, mutedUntil, silences, language, title, content } = values;
  const body = {
    ...{ displayName, state },
    objects: {
      kind,
      ...filled({ names }),
      ...(labels.length > 0 && { labels: Object.fromEntries(labels.map(({ name, value }) => [name, value])) }),
    },
    ...(metric === '' ? { query } : { metric }),
    ...{ aggregation, periodSeconds },
    rules: values.rules.map(ruleOf),
    ...{ begins, endsAfter, convergence },
    channels: values.channels.map(channelOf),
    ...filled({ validUntil, groupBy, filters, mutedUntil, silences, language, title, content }),
  };
  // Numbers that are missing are found by the schema, which names their field.
  return body as PolicyBody;
}

/** Only what differs; null takes an optional field away. */
export function policyChange(before: PolicyValues, after: PolicyValues): PolicyChange {
  const [was, is] = [policyBody(before), policyBody(after)] as [Record<string, unknown>, Record<string, unknown>];
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = fields.filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]));
  return Object.fromEntries(changed.map((field) => [field, is[field] ?? null])) as PolicyChange;
}

export function policyValuesOf({ id, name, spec }: Pick<PolicyView, 'id' | 'name' | 'spec'>): PolicyValues {
  const { objects, metric, query, filters = [], rules, begins, convergence, silences = [], channels = [] } = spec;
  const empty = EMPTY_POLICY;
  return {
    displayName: spec.displayName ?? name ?? id,
    state: spec.state ?? empty.state,
    validUntil: spec.validUntil ?? '',
    objects: {
      kind: objects.kind,
      names: [...(objects.names ?? [])],
      labels: Object.entries(objects.labels ?? {}).map(([label, value]) => ({ name: label, value })),
    },
    metric: metric ?? '',
    query: query ?? '',
    aggregation: spec.aggregation ?? empty.aggregation,
    periodSeconds: spec.periodSeconds ?? empty.periodSeconds,
    groupBy: [...(spec.groupBy ?? [])],
    filters: filters.map(({ label, operator = 'In', values }) => ({ label, operator, values: [...values] })),
    rules: rules.map(ruleValues),
    begins: { ...empty.begins, ...begins },
    endsAfter: spec.endsAfter ?? empty.endsAfter,
    convergence: { ...empty.convergence, ...convergence },
    mutedUntil: isAhead(spec.mutedUntil) ? spec.mutedUntil : '',
    silences: silences.map(({ cron, timeZone = 'UTC', minutes }) => ({ cron, timeZone, minutes })),
    channels: channels.map(channelValues),
    language: spec.language ?? '',
    title: spec.title ?? '',
    content: spec.content ?? '',
  };
}

const ruleValues = ({
  type = 'Threshold',
  compare = NEW_RULE.compare,
  value,
  level = 'Warning',
}: Spec['rules'][0]) => ({
  ...{ type: ruleType(type), compare, value, level },
});

const channelValues = ({ type, to = '', levels = [], afterMinutes = 0 }: NonNullable<Spec['channels']>[0]) => ({
  ...{ type, to, levels: [...levels], afterMinutes },
});
