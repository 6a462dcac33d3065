// The comparisons that a rule of an alert policy can make. A page that shows rules needs no schema for it.

export const RULE_TYPES = ['Threshold', 'WeekOverWeek', 'PeriodOverPeriod', 'RateOfChange', 'NoData'] as const;
export type RuleType = (typeof RULE_TYPES)[number];

/** Names of earlier versions, which say what these never were. They are read for ever. */
const OLD_NAMES = { YearOverYear: 'WeekOverWeek', QuarterOverQuarter: 'PeriodOverPeriod' } as const;
type OldName = keyof typeof OLD_NAMES;
export const RULE_TYPE_NAMES = [...RULE_TYPES, ...(Object.keys(OLD_NAMES) as OldName[])] as const;

/** Threshold is the default of a rule without a type. */
export const ruleType = (name: RuleType | OldName = 'Threshold'): RuleType =>
  Object.hasOwn(OLD_NAMES, name) ? OLD_NAMES[name as OldName] : (name as RuleType);
