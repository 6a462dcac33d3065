// Whether a policy's rules are met by what was measured. Pure and total.
import { type RuleType, ruleType } from '@gantry/contract/alerts/rule-types.ts';
import { ALERT_LEVELS, type AlertLevel, type AlertPolicySpec, ruleLevel } from '@gantry/contract/kinds/alert-policy.ts';
import type { Outcome } from './step.ts';

type Rule = AlertPolicySpec['rules'][number];

/** The values of one series at the cycle, a period before, and a week before. Undefined: no data. */
export interface Measured {
  value?: number | undefined;
  before?: number | undefined;
  lastWeek?: number | undefined;
}

const COMPARES: Readonly<Record<NonNullable<Rule['compare']>, (value: number, limit: number) => boolean>> = {
  Above: (value, limit) => value > limit,
  AtLeast: (value, limit) => value >= limit,
  Below: (value, limit) => value < limit,
  AtMost: (value, limit) => value <= limit,
  Equal: (value, limit) => value === limit,
  NotEqual: (value, limit) => value !== limit,
};

const percent = (value: number, base: number | undefined): number | undefined => {
  if (base === undefined) return undefined;
  if (base === 0) return value === 0 ? 0 : undefined;
  return (100 * (value - base)) / Math.abs(base);
};

/** The value that a rule compares with its limit. Undefined: it is unknown. */
const COMPARED: Readonly<
  Record<Exclude<RuleType, 'NoData'>, (measured: Measured & { value: number }, minutes: number) => number | undefined>
> = {
  Threshold: ({ value }) => value,
  WeekOverWeek: ({ value, lastWeek }) => percent(value, lastWeek),
  PeriodOverPeriod: ({ value, before }) => percent(value, before),
  RateOfChange: ({ value, before }, minutes) => (before === undefined ? undefined : (value - before) / minutes),
};

/** Which past values the rules need. */
export const needsBefore = (rules: readonly Rule[]): boolean =>
  rules.some(({ type }) => ['PeriodOverPeriod', 'RateOfChange'].includes(ruleType(type)));
export const needsLastWeek = (rules: readonly Rule[]): boolean =>
  rules.some(({ type }) => ruleType(type) === 'WeekOverWeek');
export const watchesNoData = (rules: readonly Rule[]): boolean => rules.some(({ type }) => ruleType(type) === 'NoData');

export const hasValue = (value: number | undefined): value is number => value !== undefined && !Number.isNaN(value);

/** Without data, only a rule that waits for that is met. Nothing is known where no rule is met and one of them has nothing to compare with. */
export function judge(
  { rules, periodSeconds }: Pick<AlertPolicySpec, 'rules' | 'periodSeconds'>,
  measured: Measured,
): Outcome {
  const { value } = measured;
  let isUnsure = false;
  const met = rules.filter((rule) => {
    const type = ruleType(rule.type);
    if (type === 'NoData') return !hasValue(value);
    if (rule.compare === undefined || rule.value === undefined) return false;
    const compared = hasValue(value) ? COMPARED[type]({ ...measured, value }, periodSeconds / 60) : undefined;
    if (!hasValue(compared)) isUnsure = true;
    return hasValue(compared) && COMPARES[rule.compare](compared, rule.value);
  });
  if (met.length > 0) return { seen: 'met', level: worst(met.map(ruleLevel)) };
  return { seen: isUnsure ? 'unknown' : 'unmet' };
}

const worst = (levels: readonly AlertLevel[]): AlertLevel =>
  ALERT_LEVELS.findLast((level) => levels.includes(level)) ?? 'Info';
