import { expect, test } from '@jest/globals';
import type { ResolverOptions } from 'react-hook-form';
import * as z from 'zod';
import { rulesOf } from './rule-sentence.ts';

const schema = z.object({
  name: z.string().min(1).max(3),
  date: z.string(),
  card: z.string().regex(/^\d+$/, 'id_card_format'),
});
const options = { fields: {}, shouldUseNativeValidation: false } as ResolverOptions<z.input<typeof schema>>;
type Values = z.input<typeof schema>;

const said = async (values: Partial<Values>, language: 'en' | 'ja' = 'en') => {
  const { errors } = await rulesOf(schema, language)(values as Values, undefined, options);
  return Object.fromEntries(
    Object.entries(errors).map(([field, error]) => [field, (error as { message: string }).message]),
  );
};

test('a field that was left empty is told so', async () => {
  expect(await said({ name: '', card: '1' })).toEqual({ name: 'Please fill this in.', date: 'Please fill this in.' });
});

test('a rule of the contract is told by the sentence of its problem, in the language asked for', async () => {
  expect(await said({ name: 'a', date: 'b', card: 'x' })).toEqual({ card: 'ID card format error.' });
  expect(await said({ name: 'a', date: 'b', card: 'x' }, 'ja')).toEqual({
    card: '身分証番号の形式が正しくありません。',
  });
});

test('a rule without a sentence of its own is told in the language, too', async () => {
  expect(await said({ name: 'abcd', date: 'b', card: '1' }, 'ja')).toEqual({
    name: '3 文字以内でなければなりません。',
  });
});

test('values that pass are left as they were typed', async () => {
  const upper = z.object({ name: z.string().transform((text) => text.toUpperCase()) });
  const checked = await rulesOf(upper, 'en')({ name: 'a' }, undefined, options as never);
  expect(checked).toEqual({ values: { name: 'a' }, errors: {} });
});
