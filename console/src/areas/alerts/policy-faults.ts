// The field of a policy's form that shows a fault: the one to blame, which a path of the body does not always name.

import { sentence } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { FIELD_RULES } from '@gantry/contract/http/field-rules.ts';
import { POLICY_RULES } from '@gantry/contract/kinds/alert-policy.ts';
import { type FieldErrors, get, type Path } from 'react-hook-form';
import type { PolicyValues } from './policy-values.ts';

/** First match wins. Members of a list in one field stand at the field; a group's stand at its first field. */
const MOVED: readonly (readonly [RegExp, string])[] = [
  [/^(objects\.names|groupBy|filters\.\d+\.values|channels\.\d+\.levels)\..*$/, '$1'],
  [/^(rules\.\d+)$/, '$1.value'],
  [/^(channels\.\d+)$/, '$1.to'],
  [/^(silences\.\d+)$/, '$1.cron'],
  [/^(filters\.\d+)$/, '$1.label'],
  [/^objects\.labels(\..*)?$/, 'objects.labels.0.name'],
  [/^objects$/, 'objects.names'],
  [/^begins$/, 'begins.met'],
  [/^convergence$/, 'convergence.waitSeconds'],
];

/** The field for a path in the body: `spec.rules.0` is `rules.0.value`. */
export function fieldOf(path: string): Path<PolicyValues> {
  const bare = path.replace(/^spec\./, '');
  const [pattern, field] = MOVED.find(([one]) => one.test(bare)) ?? [];
  return (pattern && field !== undefined ? bare.replace(pattern, field) : bare) as Path<PolicyValues>;
}

export interface Fault {
  field: Path<PolicyValues>;
  message: string;
}

/** Errors of the body's schema, each with its field. */
export function faultsIn(errors: FieldErrors, values: PolicyValues, before: readonly string[] = []): readonly Fault[] {
  return Object.entries(errors).flatMap(([name, error]) => {
    if (name === 'ref' || typeof error !== 'object' || error === null) return [];
    const path = [...before, name];
    const { message } = error as { message?: unknown };
    if (typeof message !== 'string') return faultsIn(error as FieldErrors, values, path);
    const [group, member, label] = path;
    const at = values.objects.labels.findIndex((one) => one.name === label);
    const isOfLabel = group === 'objects' && member === 'labels' && at >= 0;
    return [{ field: isOfLabel ? `objects.labels.${at}.value` : fieldOf(path.join('.')), message }];
  });
}

/** An empty field would be the default of a new policy, and no change of an old one. */
const AMOUNTS = [
  'periodSeconds',
  'begins.met',
  'begins.of',
  'endsAfter',
  'convergence.waitSeconds',
  'convergence.repeatMinutes',
  'convergence.mostPerHour',
] as const satisfies readonly Path<PolicyValues>[];
const OUTSIDE: readonly string[] = ['Webhook', 'Slack', 'DingTalk'];

/** Rules that otherwise only the API server knows: here each names its field. */
export function ownFaults(
  values: PolicyValues,
  { language, twice: isThere }: { language: Language; twice: string },
): Fault[] {
  const { metric, query, rules, channels, begins, objects } = values;
  const empty = sentence(FIELD_RULES.empty, language);
  const of = (name: keyof typeof POLICY_RULES) => sentence(POLICY_RULES[name], language);
  const twice = objects.labels.findIndex(({ name }, at) => objects.labels.findIndex((one) => one.name === name) < at);
  return [
    ...AMOUNTS.flatMap((field) => (get(values, field) === undefined ? [{ field, message: empty }] : [])),
    ...(metric === '' && query.trim() === '' ? [{ field: 'query' as const, message: empty }] : []),
    ...rules.flatMap(({ type, value }, at) =>
      type === 'NoData' || value !== undefined ? [] : [{ field: `rules.${at}.value` as const, message: empty }],
    ),
    ...channels.flatMap(({ afterMinutes }, at) =>
      afterMinutes === undefined ? [{ field: `channels.${at}.afterMinutes` as const, message: empty }] : [],
    ),
    ...channels.flatMap(({ type, to }, at) =>
      OUTSIDE.includes(type) && to.trim() === '' ? [{ field: `channels.${at}.to` as const, message: empty }] : [],
    ),
    ...((begins.met ?? 0) > (begins.of ?? Number.POSITIVE_INFINITY)
      ? [{ field: 'begins.met' as const, message: of('begins') }]
      : []),
    ...(objects.kind === 'Organization' && objects.names.length > 0
      ? [{ field: 'objects.names' as const, message: of('names') }]
      : []),
    ...(twice < 0 ? [] : [{ field: `objects.labels.${twice}.name` as const, message: isThere }]),
  ];
}
