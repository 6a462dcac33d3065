import { password as contractRule } from '@gantry/contract/fields/person.ts';
import { expect, test } from '@jest/globals';
import { passwordRules } from './rules-of.ts';

const broken = (password: string) => passwordRules(password).flatMap(({ rule, isMet }) => (isMet ? [] : [rule]));

const rows: [string, string, string[]][] = [
  ['nothing typed meets no rule', '', ['length', 'letter', 'digit', 'plain']],
  ['seven characters are too few', 'abcdef7', ['length']],
  ['eight are enough', 'abcdefg7', []],
  ['sixteen are', 'abcdefghijklmno7', []],
  ['seventeen are too many', 'abcdefghijklmnop7', ['length']],
  ['digits alone have no letter', '12345678', ['letter']],
  ['letters alone have no digit', 'abcdefgh', ['digit']],
  ['a space is refused', 'abcd efg7', ['plain']],
  ['letters of another script are refused', 'пароль777', ['letter', 'plain']],
];

test.each(rows)('%s', (_, typed, rules) => {
  expect(broken(typed)).toEqual(rules);
  // The checklist agrees exactly with what the server accepts.
  expect(contractRule.safeParse(typed).success).toBe(rules.length === 0);
});
