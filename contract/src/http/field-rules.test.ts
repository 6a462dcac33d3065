import { expect, test } from '@jest/globals';
import * as z from 'zod';
import type { Words } from '../define-kind.ts';
import type { Language } from '../fields/language.ts';
import { FIELD_RULES, fieldRule } from './field-rules.ts';

const said = (schema: z.ZodType, value: unknown, language: Language) =>
  schema.safeParse(value, { error: (issue) => fieldRule(issue, language) }).error?.issues.map(({ message }) => message);

test.each<[what: string, schema: z.ZodType, value: unknown, en: string, zh: string]>([
  ['nothing at all', z.string(), undefined, 'Please fill this in.', '请填写此项。'],
  ['an empty text', z.string().min(8), '', 'Please fill this in.', '请填写此项。'],
  ['no choice made', z.enum(['a', 'b']), undefined, 'Please fill this in.', '请填写此项。'],
  ['a number too small', z.number().min(1), 0, 'It must be at least 1.', '不能小于 1。'],
  ['a number not above its bound', z.number().gt(0), 0, 'It must be more than 0.', '必须大于 0。'],
  ['a number too big', z.int().max(5), 9, 'It must be at most 5.', '不能大于 5。'],
  ['a number not below its bound', z.number().lt(9), 9, 'It must be less than 9.', '必须小于 9。'],
  ['half a thing', z.int(), 1.5, 'It must be a whole number.', '必须是整数。'],
  ['what is no number', z.number(), Number.NaN, 'It must be a number.', '必须是数字。'],
  ['between two steps', z.number().multipleOf(0.1), 0.15, 'It must be a multiple of 0.1.', '必须是 0.1 的倍数。'],
  ['a text too short', z.string().min(8), 'a', 'It must have at least 8 characters.', '至少需要 8 个字符。'],
  ['a text too long', z.string().max(1), 'ab', 'It may have at most 1 character.', '最多 1 个字符。'],
  [
    'a text of another length',
    z.string().length(6),
    'a',
    'It must have exactly 6 characters.',
    '必须正好是 6 个字符。',
  ],
  ['a list too short', z.array(z.string()).min(1), [], 'It needs at least 1 entry.', '至少需要 1 项。'],
  ['a list too long', z.array(z.string()).max(1), ['a', 'b'], 'It may have at most 1 entry.', '最多 1 项。'],
  ['no choice', z.enum(['a', 'b']), 'c', 'It must be one of: a, b.', '必须是以下之一：a, b。'],
  ['not the one value', z.literal('x'), 'c', 'It must be x.', '必须是 x。'],
  ['no address', z.email(), 'c', 'Please enter a valid e-mail address.', '请输入有效的邮箱地址。'],
  ['another form', z.string().regex(/^a$/), 'b', 'It must match the pattern /^a$/.', '必须符合格式 /^a$/。'],
  ['another beginning', z.string().startsWith('acct_'), 'b', 'It must start with acct_.', '必须以 acct_ 开头。'],
  ['an unknown field', z.strictObject({}), { a: 1 }, 'There is no such field here.', '此处没有该字段。'],
  ['whatever else', z.string().refine(() => false), 'x', 'It is not valid.', '内容无效。'],
])('%s', (_, schema, value, en, zh) => {
  expect(said(schema, value, 'en')).toEqual([en]);
  expect(said(schema, value, 'zh')).toEqual([zh]);
});

test('a schema that names a problem keeps it', () => {
  expect(said(z.string().regex(/^\d+$/, 'id_card_format'), 'x', 'ja')).toEqual(['id_card_format']);
});

test('no sentence was left in another language', () => {
  const left = Object.entries<Words>(FIELD_RULES).filter(
    ([, { en, zh, ja }]) => en === zh || en === ja || !/[一-鿿]/.test(zh) || !/[ぁ-んァ-ヶ]/.test(ja),
  );
  expect(left).toEqual([]);
});
