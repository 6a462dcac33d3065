// What is wrong with one member of an input, where its schema has no problem of its own to tell it: one row for each way to be
// wrong. The gateway's door and the web's forms say the same sentences.
import type * as z from 'zod';
import { sentence, type Words } from '../define-kind.ts';
import type { Language } from '../fields/language.ts';

export const FIELD_RULES = {
  empty: { en: 'Please fill this in.', zh: '请填写此项。', ja: '入力してください。' },
  number: { en: 'It must be a number.', zh: '必须是数字。', ja: '数値でなければなりません。' },
  wholeNumber: { en: 'It must be a whole number.', zh: '必须是整数。', ja: '整数でなければなりません。' },
  text: { en: 'It must be a text.', zh: '必须是文本。', ja: '文字列でなければなりません。' },
  flag: {
    en: 'It must be true or false.',
    zh: '必须是 true 或 false。',
    ja: 'true または false でなければなりません。',
  },
  list: { en: 'It must be a list.', zh: '必须是列表。', ja: 'リストでなければなりません。' },
  object: { en: 'It must be an object.', zh: '必须是对象。', ja: 'オブジェクトでなければなりません。' },
  atLeast: { en: 'It must be at least {bound}.', zh: '不能小于 {bound}。', ja: '{bound} 以上でなければなりません。' },
  moreThan: {
    en: 'It must be more than {bound}.',
    zh: '必须大于 {bound}。',
    ja: '{bound} より大きくなければなりません。',
  },
  atMost: { en: 'It must be at most {bound}.', zh: '不能大于 {bound}。', ja: '{bound} 以下でなければなりません。' },
  lessThan: {
    en: 'It must be less than {bound}.',
    zh: '必须小于 {bound}。',
    ja: '{bound} より小さくなければなりません。',
  },
  multipleOf: {
    en: 'It must be a multiple of {step}.',
    zh: '必须是 {step} 的倍数。',
    ja: '{step} の倍数でなければなりません。',
  },
  longer: {
    en: 'It must have at least {bound|character|characters}.',
    zh: '至少需要 {bound} 个字符。',
    ja: '{bound} 文字以上でなければなりません。',
  },
  shorter: {
    en: 'It may have at most {bound|character|characters}.',
    zh: '最多 {bound} 个字符。',
    ja: '{bound} 文字以内でなければなりません。',
  },
  length: {
    en: 'It must have exactly {bound|character|characters}.',
    zh: '必须正好是 {bound} 个字符。',
    ja: 'ちょうど {bound} 文字でなければなりません。',
  },
  moreEntries: {
    en: 'It needs at least {bound|entry|entries}.',
    zh: '至少需要 {bound} 项。',
    ja: '{bound} 件以上必要です。',
  },
  fewerEntries: {
    en: 'It may have at most {bound|entry|entries}.',
    zh: '最多 {bound} 项。',
    ja: '{bound} 件以内でなければなりません。',
  },
  entries: {
    en: 'It must have exactly {bound|entry|entries}.',
    zh: '必须正好是 {bound} 项。',
    ja: 'ちょうど {bound} 件でなければなりません。',
  },
  oneOf: {
    en: 'It must be one of: {options}.',
    zh: '必须是以下之一：{options}。',
    ja: '次のいずれかでなければなりません：{options}。',
  },
  just: { en: 'It must be {options}.', zh: '必须是 {options}。', ja: '{options} でなければなりません。' },
  email: {
    en: 'Please enter a valid e-mail address.',
    zh: '请输入有效的邮箱地址。',
    ja: '有効なメールアドレスを入力してください。',
  },
  url: { en: 'Please enter a valid URL.', zh: '请输入有效的网址。', ja: '有効な URL を入力してください。' },
  moment: {
    en: 'It must be a date and time from 2000 to 2999, such as 2026-01-31T12:00:00Z.',
    zh: '必须是 2000 年至 2999 年的日期和时间，例如 2026-01-31T12:00:00Z。',
    ja: '2026-01-31T12:00:00Z のような、2000 年から 2999 年までの日時でなければなりません。',
  },
  day: {
    en: 'It must be a date such as 2026-01-31.',
    zh: '必须是日期，例如 2026-01-31。',
    ja: '2026-01-31 のような日付でなければなりません。',
  },
  startsWith: {
    en: 'It must start with {text}.',
    zh: '必须以 {text} 开头。',
    ja: '{text} で始まらなければなりません。',
  },
  pattern: {
    en: 'It must match the pattern {text}.',
    zh: '必须符合格式 {text}。',
    ja: 'パターン {text} に一致しなければなりません。',
  },
  unknown: { en: 'There is no such field here.', zh: '此处没有该字段。', ja: 'この項目はありません。' },
  invalid: { en: 'It is not valid.', zh: '内容无效。', ja: '内容が正しくありません。' },
} as const satisfies Record<string, Words>;
type FieldRule = keyof typeof FIELD_RULES;

type Told = readonly [rule: FieldRule, args?: Record<string, string>];

/** For zod's `error`: the sentence of one fault. */
export function fieldRule(issue: z.core.$ZodRawIssue, language: Language): string {
  const [rule, args] = toldOf(issue as z.core.$ZodRawIssue & z.core.$ZodIssue);
  return sentence(FIELD_RULES[rule], language, args);
}

function toldOf(issue: z.core.$ZodRawIssue & z.core.$ZodIssue): Told {
  // What was left empty is not told how many characters it has, nor which it might have.
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
): Told {
  const args = { bound: `${bound}` };
  if (origin === 'string') return [exact ? 'length' : rows.text, args];
  if (origin === 'array' || origin === 'set') return [exact ? 'entries' : rows.list, args];
  return [inclusive === false ? rows.without : rows.with, args];
}
