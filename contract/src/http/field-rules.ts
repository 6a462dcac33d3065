// The fault of one member of an input, if its schema has no problem of its own: one row for each kind of fault. The gateway and
// the web's forms use the same sentences.
import type * as z from 'zod';
import { sentence } from '../define-kind.ts';
import type { Language } from '../fields/language.ts';
import * as en from '../words/en/field-rules.ts';
import * as ja from '../words/ja/field-rules.ts';
import { joined } from '../words/join.ts';
import * as zh from '../words/zh/field-rules.ts';

export const FIELD_RULES = joined('field', { en: en.fieldRules, zh: zh.fieldRules, ja: ja.fieldRules });
type FieldRule = keyof typeof FIELD_RULES;

type BrokenRule = readonly [rule: FieldRule, args?: Record<string, string>];

/** For zod's `error`: the sentence of one fault. */
export function fieldRule(issue: z.core.$ZodRawIssue, language: Language): string {
  const [rule, args] = brokenRuleOf(issue as z.core.$ZodRawIssue & z.core.$ZodIssue);
  return sentence(FIELD_RULES[rule], language, args);
}

function brokenRuleOf(issue: z.core.$ZodRawIssue & z.core.$ZodIssue): BrokenRule {
  // For an empty field neither its length nor its alternatives matter.
  if (issue.input === undefined || issue.input === null || (issue.input === '' && issue.code !== 'custom'))
    return ['empty'];
  switch (issue.code) {
    case 'invalid_type':
      return [TYPES[issue.expected] ?? 'invalid'];
    case 'too_small':
      return boundOf(issue, issue.minimum, SMALL);
    case 'too_big':
      return boundOf(issue, issue.maximum, BIG);
    case 'not_multiple_of':
      return ['multipleOf', { step: `${issue.divisor}` }];
    case 'invalid_value': {
      const options = issue.values.map(String).join(', ');
      return [issue.values.length === 1 ? 'just' : 'oneOf', { options }];
    }
    case 'invalid_format':
      if (issue.format === 'regex') return ['pattern', { text: issue.pattern ?? '' }];
      if (issue.format === 'starts_with') return ['startsWith', { text: (issue as { prefix?: string }).prefix ?? '' }];
      return [FORMATS[issue.format] ?? 'invalid'];
    case 'unrecognized_keys':
      return ['unknown'];
    default:
      return ['invalid'];
  }
}

const TYPES: Readonly<Partial<Record<string, FieldRule>>> = {
  number: 'number',
  int: 'wholeNumber',
  string: 'text',
  boolean: 'flag',
  array: 'list',
  object: 'object',
  record: 'object',
};

const FORMATS: Readonly<Partial<Record<string, FieldRule>>> = {
  email: 'email',
  url: 'url',
  datetime: 'moment',
  date: 'day',
};

interface Bounds {
  readonly text: FieldRule;
  readonly list: FieldRule;
  readonly with: FieldRule;
  readonly without: FieldRule;
}
const SMALL: Bounds = { text: 'longer', list: 'moreEntries', with: 'atLeast', without: 'moreThan' };
const BIG: Bounds = { text: 'shorter', list: 'fewerEntries', with: 'atMost', without: 'lessThan' };

function boundOf(
  { origin, inclusive, exact }: { origin: string; inclusive?: boolean; exact?: boolean },
  bound: number | bigint,
  rows: Bounds,
): BrokenRule {
  const args = { bound: `${bound}` };
  if (origin === 'string') return [exact ? 'length' : rows.text, args];
  if (origin === 'array' || origin === 'set') return [exact ? 'entries' : rows.list, args];
  return [inclusive === false ? rows.without : rows.with, args];
}
