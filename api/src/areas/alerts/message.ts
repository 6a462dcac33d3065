// The words of a notification, in one language. Pure. What tenants wrote is filled in once, and never read as a sentence.

import { ALERT_METRICS } from '@gantry/contract/alerts/metrics.ts';
import { alertWords } from '@gantry/contract/alerts/words.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type AlertLevel, type AlertPolicySpec, ruleLevel } from '@gantry/contract/kinds/alert-policy.ts';
import { own } from '@gantry/contract/own.ts';
import { valueText } from './value-text.ts';

/** One alarm as a notification tells of it. */
export interface ToldAlarm {
  id: string;
  title: string;
  kind: string;
  object: string | null;
  /** The owners' name for the object. */
  displayName?: string | undefined;
  labels: Readonly<Record<string, string>>;
  metric: string;
  level: AlertLevel;
  value: number | null;
  firstAbnormalAt: Date;
  /** The reason why an alarm that is over ended. */
  ended?: 'resolved' | 'gone' | 'vanished' | 'closed' | null;
}

/** Alarms that one notice lists by name. */
const MOST_LISTED = 20;
/** The most letters of a text. DingTalk takes 15,000 bytes at least, and a letter has three of them. */
const MOST_LETTERS = 4_000;
const MOST_TITLE_LETTERS = 200;

export type What = 'fired' | 'repeated' | 'resolved' | 'closed';

export interface Told {
  title: string;
  text: string;
}

/** The subject of a transition in the outbox. */
export const whatOf = (transition: string): What => {
  const [word = ''] = transition.split('/');
  return word === 'raised' ? 'fired' : (word as What);
};

/** A notification of one or several alarms of a policy. `leftOut`: how many others the hourly limit kept from being sent. */
export function tell(
  { title, content }: Pick<AlertPolicySpec, 'title' | 'content'>,
  what: What,
  alarms: readonly ToldAlarm[],
  language: Language,
  leftOut = 0,
): Told {
  const [first] = alarms;
  if (!first) return { title: '', text: '' };
  const { notices } = alertWords;
  const more = alarms.length > 1 ? ` (${alarms.length})` : '';
  const own = sentence(notices[what], language, { policy: first.title });
  const listed = linesOf(content, what, alarms, language);
  const unlisted = alarms.length - listed.length;
  return {
    title: `${cut(title === undefined ? own : filled(title, first, language), MOST_TITLE_LETTERS)}${more}`,
    text: [
      ...listed,
      ...(unlisted > 0 ? [sentence(notices.more, language, { count: `${unlisted}` })] : []),
      ...(leftOut > 0 ? [sentence(notices.leftOut, language, { count: `${leftOut}` })] : []),
    ].join('\n'),
  };
}

/** The first alarms, at least one. */
function linesOf(content: string | undefined, what: What, alarms: readonly ToldAlarm[], language: Language): string[] {
  const lines: string[] = [];
  let left = MOST_LETTERS;
  for (const alarm of alarms.slice(0, MOST_LISTED)) {
    const line = lineOf(content, what, alarm, language);
    if (lines.length > 0 && line.length > left) break;
    lines.push(cut(line, left));
    left -= line.length;
  }
  return lines;
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

function lineOf(content: string | undefined, what: What, alarm: ToldAlarm, language: Language): string {
  if (content !== undefined && content !== '') return filled(content, alarm, language);
  const { notices } = alertWords;
  const gaps = gapsOf(alarm, language);
  if (what === 'resolved' || what === 'closed') return sentence(notices[`${alarm.ended ?? what}Text`], language, gaps);
  return sentence(alarm.value === null ? notices.noData : notices.firedText, language, gaps);
}

function gapsOf(alarm: ToldAlarm, language: Language) {
  const { labels, metric, level, value, title, firstAbnormalAt } = alarm;
  const named = Object.entries(labels).map(([label, text]) => `${label}=${text}`);
  const metricWords = ALERT_METRICS[metric as keyof typeof ALERT_METRICS];
  return {
    policy: title,
    object: [calledAs(alarm), ...named].join(' '),
    metric: metricWords ? metricWords[language] : metric,
    level: alertWords.levels[level][language],
    value: valueText(value),
    since: `${firstAbnormalAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  };
}

function calledAs({ object, kind, displayName }: ToldAlarm): string {
  if (object === null) return displayName ?? kind;
  return displayName === undefined || displayName === object ? object : `${displayName} (${object})`;
}

/** `{{gap}}` and `{{labels.x}}`; one that is not known stays visible. */
function filled(template: string, alarm: ToldAlarm, language: Language): string {
  const gaps: Readonly<Record<string, string>> = gapsOf(alarm, language);
  return template.replace(/\{\{\s*([\w.-]{1,80})\s*\}\}/g, (whole, name: string) =>
    name.startsWith('labels.') ? (own(alarm.labels, name.slice(7)) ?? '') : (own(gaps, name) ?? whole),
  );
}

/** A notice about an alarm that might be, when it begins and when it is over. */
export function previewOf(spec: AlertPolicySpec, language: Language, now: number): { fired: Told; resolved: Told } {
  const sample: ToldAlarm = {
    id: 'alm-00000000',
    title: (spec as { displayName?: string }).displayName ?? '',
    kind: spec.objects.kind,
    object: spec.objects.names?.[0] ?? 'ins-00000000',
    labels: Object.fromEntries((spec.groupBy ?? []).map((label) => [label, '0'])),
    metric: spec.metric ?? 'PromQL',
    level: ruleLevel(spec.rules[0] ?? {}),
    value: spec.rules[0]?.value ?? null,
    firstAbnormalAt: new Date(now),
  };
  return { fired: tell(spec, 'fired', [sample], language), resolved: tell(spec, 'resolved', [sample], language) };
}
