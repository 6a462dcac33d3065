// A policy names the watched metrics, the conditions of an alarm, and its recipients. No Pod, no cost: the gateway's evaluator reads the
// spec and writes the status. Addresses of webhooks are secrets and stay in SQL: a policy names their contact points.
import * as z from 'zod';
import { ALERT_METRIC_NAMES, ALERT_METRICS, WATCHED_KINDS } from '../alerts/metrics.ts';
import { RULE_TYPE_NAMES } from '../alerts/rule-types.ts';
import { cel, commonStatus, defineKind, type ObjectOf, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { creator } from '../fields/creator.ts';
import { dateTime } from '../fields/date-time.ts';
import { LANGUAGES } from '../fields/language.ts';
import { displayName, objectName } from '../fields/name.ts';
import { plainLinesRule, plainTextRule } from '../fields/plain-text.ts';
import { cron, timeZone } from '../fields/schedule.ts';
import { specDateTime } from '../fields/spec-date-time.ts';
import { changeBody, creationBody, peopleName } from '../http/kind-bodies.ts';
import { type CommonView, plainView, time } from '../kind-api.ts';
import * as en from '../words/en/alert-policy.ts';
import * as ja from '../words/ja/alert-policy.ts';
import { kindWords } from '../words/join.ts';
import * as zh from '../words/zh/alert-policy.ts';
import { CREATOR_KEPT } from './kind-rows.ts';

const words = kindWords('AlertPolicy', { en, zh, ja });
/** The sentences with which the API server refuses a policy. */
export const POLICY_RULES = words.rules;

export const ALERT_LEVELS = ['Info', 'Warning', 'Critical'] as const;
export const AGGREGATIONS = ['Average', 'Maximum', 'Minimum', 'Sum', 'Last'] as const;
export const COMPARISONS = ['Above', 'AtLeast', 'Below', 'AtMost', 'Equal', 'NotEqual'] as const;
export const CHANNELS = ['Bell', 'Mail', 'Webhook', 'Slack', 'DingTalk', 'SMS'] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];
export type AlertChannel = (typeof CHANNELS)[number];

const MOST_LIMIT = 1e15;
const MOST_CYCLES = 60;
/** Notifications by one channel, where nothing else is said. */
export const USUAL_PER_HOUR = 20;
const labelName = z.string().min(1).max(63);
const labelValue = z.string().max(128);
const list = { 'x-kubernetes-list-type': 'atomic' };

const objects = z
  .object({
    kind: z.enum(WATCHED_KINDS).describe('The kind of the objects.'),
    names: z
      .array(objectName)
      .min(1)
      .max(32)
      .optional()
      .meta({ ...list, description: 'Names of objects. Absent: all of the kind.' }),
    labels: z
      .record(labelName, labelValue)
      .meta({ maxProperties: 8 })
      .optional()
      .describe('Labels that the objects have. Absent: all of the kind.'),
  })
  .meta(cel(["self.kind != 'Organization' || (!has(self.names) && !has(self.labels))", words.rules.names]));

const rule = z
  .object({
    type: z
      .enum(RULE_TYPE_NAMES)
      .optional()
      .describe(
        'Absent: Threshold. Threshold: the value. WeekOverWeek: its change in percent since the same time a week ago. PeriodOverPeriod: since the period before. RateOfChange: its change a minute. NoData: there is none. YearOverYear and QuarterOverQuarter are earlier names of WeekOverWeek and PeriodOverPeriod.',
      ),
    compare: z.enum(COMPARISONS).optional().describe('How the value compares with the limit for the rule to be met.'),
    value: z.number().min(-MOST_LIMIT).max(MOST_LIMIT).optional().describe('The limit.'),
    level: z
      .enum(ALERT_LEVELS)
      .optional()
      .describe('How bad it is. Absent: Warning. Of several rules that are met the worst counts.'),
  })
  .meta(
    cel([
      "(self.?type.orValue('') == 'NoData') != has(self.compare) && has(self.compare) == has(self.value)",
      words.rules.threshold,
    ]),
  );

const channel = z
  .object({
    type: z
      .enum(CHANNELS)
      .describe(
        'Bell and Mail need nothing else. Webhook, Slack and DingTalk go to a contact point of the organisation.',
      ),
    to: z
      .string()
      .min(1)
      .max(254)
      .optional()
      .describe(
        'Mail: the address of a member, or one that has confirmed that it wants alarms. SMS: the name of a member’s account. Others: the name of the contact point. Absent: the creator.',
      ),
    levels: z
      .array(z.enum(ALERT_LEVELS))
      .max(3)
      .optional()
      .meta({ ...list, description: 'Of which levels it hears. Absent: of all.' }),
    afterMinutes: z
      .int()
      .min(0)
      .max(10_080)
      .optional()
      .describe('Escalation: it hears of an alarm that has been firing for so long. Absent or 0: at once.'),
  })
  .meta(cel(["self.type in ['Mail', 'SMS'] || (self.type != 'Bell') == has(self.to)", words.rules.to]));

const spec = z
  .object({
    displayName: displayName.optional(),
    creator,
    state: z.enum(['Enabled', 'Disabled']).default('Enabled').describe('Whether the policy is evaluated.'),
    validUntil: specDateTime.optional().describe('When the policy ends. Absent: never.'),
    objects: objects.describe('The objects that are watched. Of a query, only what its alarms are shown as.'),
    metric: z.enum(ALERT_METRIC_NAMES).optional().describe('What is measured.'),
    query: z
      .string()
      .min(1)
      .max(2048)
      .optional()
      .describe('PromQL instead of a metric. It sees only series of this organisation.'),
    aggregation: z
      .enum(AGGREGATIONS)
      .default('Average')
      .describe('How values of one period, and of one group, become one.'),
    periodSeconds: z
      .int()
      .min(15)
      .max(3600)
      .multipleOf(15)
      .default(60)
      .describe('A cycle: how often it is evaluated, over the values of how long.'),
    groupBy: z
      .array(labelName)
      .max(5)
      .optional()
      .meta({
        ...list,
        description: 'Labels that tell alarms apart beside the object, such as gpu. Absent: each object has one alarm.',
      }),
    filters: z
      .array(
        z.object({
          label: labelName.describe('The label of the series.'),
          operator: z
            .enum(['In', 'NotIn'])
            .optional()
            .describe('Whether it has to be one of the values, or none. Absent: In.'),
          values: z.array(labelValue).min(1).max(16).describe('The values.'),
        }),
      )
      .max(8)
      .optional()
      .meta({ ...list, description: 'Which series count. Absent: all.' }),
    rules: z
      .array(rule)
      .min(1)
      .max(5)
      .meta({ ...list, description: 'The alarm begins if one of them is met.' }),
    begins: z
      .object({
        met: z.int().min(1).max(MOST_CYCLES).default(1).describe('In how many cycles a rule has to be met.'),
        of: z.int().min(1).max(MOST_CYCLES).default(1).describe('Of how many cycles, the present one included.'),
      })
      .default({ met: 1, of: 1 })
      .meta({ ...cel(['self.met <= self.of', words.rules.begins]), description: 'When an alarm begins.' }),
    endsAfter: z
      .int()
      .min(1)
      .max(MOST_CYCLES)
      .default(1)
      .describe('After how many cycles in a row in which no rule is met the alarm ends.'),
    convergence: z
      .object({
        waitSeconds: z
          .int()
          .min(0)
          .max(3600)
          .default(0)
          .describe('How long alarms are collected for one notification.'),
        repeatMinutes: z
          .int()
          .min(0)
          .max(10_080)
          .default(0)
          .describe('After how long a notification is repeated while the alarm is neither over nor closed. 0: never.'),
        mostPerHour: z
          .int()
          .min(1)
          .max(1000)
          .default(USUAL_PER_HOUR)
          .describe('At most so many notifications an hour by one channel.'),
      })
      .default({ waitSeconds: 0, repeatMinutes: 0, mostPerHour: USUAL_PER_HOUR })
      .describe('How many alarms become fewer notifications.'),
    mutedUntil: specDateTime.optional().describe('Until when nobody is notified. Alarms go on being recorded.'),
    silences: z
      .array(
        z.object({
          cron: cron.describe('When it begins.'),
          timeZone: timeZone.optional().describe('The time zone that the fields are meant in. Absent: UTC.'),
          minutes: z.int().min(1).max(10_080).describe('How long it lasts.'),
        }),
      )
      .max(10)
      .optional()
      .meta({ ...list, description: 'Recurring times at which nobody is notified.' }),
    channels: z
      .array(channel)
      .max(10)
      .default([{ type: 'Bell' }])
      .meta({ ...list, description: 'Who is notified, and how.' }),
    language: z
      .enum(LANGUAGES)
      .optional()
      .describe('In which language contact points are notified. Absent: in that of the creator, or of an owner.'),
    title: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({
        ...plainTextRule,
        description: 'The title of notifications, with gaps such as {{policy}}. Absent: a title of the platform’s.',
      }),
    content: z
      .string()
      .max(2000)
      .optional()
      .meta({
        ...plainLinesRule,
        description:
          'The text of notifications, with the gaps {{policy}}, {{object}}, {{metric}}, {{value}}, {{level}}, {{since}} and {{labels.…}}. Absent: a text of the platform’s.',
      }),
  })
  .meta(
    cel(
      ['has(self.metric) != has(self.query)', words.rules.metricOrQuery],
      ['!has(self.query) || (!has(self.objects.names) && !has(self.objects.labels))', words.rules.queryObjects],
      [metricKindsRule(), words.rules.metricKinds],
    ),
  )
  .describe('What is watched, and who hears of it.');

/** Which kinds' objects have which metrics, in CEL. */
export function metricKindsRule(): string {
  const sets = Map.groupBy(ALERT_METRIC_NAMES, (name) => ALERT_METRICS[name].kinds.join("', '"));
  const rows = [...sets].map(
    ([kinds, names]) => `(self.metric in ['${names.join("', '")}'] && self.objects.kind in ['${kinds}'])`,
  );
  return `!has(self.metric) || ${rows.join(' || ')}`;
}

const status = z
  .object({
    ...commonStatus,
    firing: z.int().min(0).optional().describe('How many alarms are firing.'),
    evaluatedAt: dateTime.optional().describe('When it was last evaluated.'),
  })
  .describe('What is known of the policy. The platform writes it.');

/** Fields that a person sets, at creation and later. */
const FIELDS = [
  'state',
  'validUntil',
  'objects',
  'metric',
  'query',
  'aggregation',
  'periodSeconds',
  'groupBy',
  'filters',
  'rules',
  'begins',
  'endsAfter',
  'convergence',
  'mutedUntil',
  'silences',
  'channels',
  'language',
  'title',
  'content',
] as const;

/** First match wins (decisions section 3). */
const phases = {
  disabled: { tone: 'neutral' },
  invalid: { tone: 'bad' },
  blocking: { tone: 'warning' },
  alerting: { tone: 'bad' },
  enabled: { tone: 'good' },
} as const;
/** Staff’s commands write texts alone, and take nothing away. */
const LONG_AGO = '2000-01-01T00:00:00Z';
const EVALUATED = ['invalid', 'blocking', 'alerting', 'enabled'] as const;
const row = { right: 'use', danger: 'none', spends: false } as const;

const view = plainView(spec).extend({
  firing: z.int().min(0).meta({ description: 'How many alarms are firing.' }),
  evaluated_time: time.nullable().meta({ description: 'When it was last evaluated.' }),
});
export type PolicyView = z.input<typeof view>;

export const alertPolicy = defineKind({
  kind: 'AlertPolicy',
  plural: 'alertpolicies',
  shortNames: ['galert'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'alp',
  collection: 'monitor/v1/alert/policies',
  menu: 'monitor/policy',
  staff: { resource: 'policies', menu: 'operation' },
  words,
  spec,
  status,
  rules: [CREATOR_KEPT, { rule: 'size(self.metadata.name) <= 50', words: words.rules.nameLength }],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Firing', jsonPath: '.status.firing', type: 'integer' },
    { name: 'Watches', jsonPath: '.spec.objects.kind' },
    { name: 'Metric', jsonPath: '.spec.metric' },
    { name: 'Evaluated', jsonPath: '.status.evaluatedAt', type: 'date' },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  actions: {
    enable: { ...row, from: ['disabled'], does: () => ({ spec: { state: 'Enabled' } }) },
    disable: { ...row, from: EVALUATED, does: () => ({ spec: { state: 'Disabled' } }) },
    unmute: {
      ...row,
      from: ['blocking'],
      applies: (object) => (object as AlertPolicy).spec.mutedUntil !== undefined,
      does: () => ({ spec: { mutedUntil: LONG_AGO } }),
    },
    edit: { ...row, from: ['disabled', ...EVALUATED], does: () => ({ spec: {} }) },
    release: { ...row, from: ['disabled', ...EVALUATED], does: 'delete', danger: 'destroys' },
  },
  phaseInView: (object) => {
    const { spec, status } = object as Partial<AlertPolicy>;
    if (spec?.state === 'Disabled') return 'disabled';
    const { phase = 'enabled' } = status ?? {};
    return phase === 'disabled' ? 'enabled' : phase;
  },
  api: {
    names: ['Policy', 'Policies'],
    view,
    show: showPolicy,
    filters: {},
    writes: {
      create: creationBody(spec, ...FIELDS).extend({ displayName: peopleName }),
      change: changeBody(spec, ...FIELDS).extend({ displayName: peopleName.optional() }),
      problems: ['schedule_unreadable'],
    },
  },
});

function showPolicy({ spec, status }: AlertPolicy, common: CommonView) {
  return {
    ...common,
    status: common.phase,
    spec,
    firing: status?.firing ?? 0,
    evaluated_time: status?.evaluatedAt ?? null,
  } satisfies PolicyView;
}

export type AlertPolicy = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type AlertPolicySpec = AlertPolicy['spec'];

/** How bad a rule is that says nothing of it: the API server fills in nothing inside lists that are applied as wholes. */
export const ruleLevel = ({ level = 'Warning' }: Pick<AlertPolicySpec['rules'][number], 'level'>): AlertLevel => level;
export type AlertPolicyStatus = NonNullable<AlertPolicy['status']>;
export type AlertPolicyPhase = PhaseOf<typeof words>;
export type AlertPolicyReason = ReasonOf<typeof words>;
