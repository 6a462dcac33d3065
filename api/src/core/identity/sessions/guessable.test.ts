import { password } from '@gantry/contract/fields/person.ts';
import { expect, test } from '@jest/globals';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import { demandHardToGuess } from './guessable.ts';

const ada = { name: 'ada.l', email: 'lovelace@example.com' };
const outcomeOf = (text: string, owner: { name: string; email: string | null } = ada): unknown => {
  try {
    demandHardToGuess(text, owner);
    return 'taken';
  } catch (error) {
    return error;
  }
};

test.each(['password1', 'PassW0rd', '1q2w3e4r', 'Gantry-2026', 'x-administrator1', 'my-Ada.L-1', 'Lovelace-77'])(
  '%s is refused by its field',
  (text) => {
    expect(outcomeOf(text)).toMatchObject({ problem: 'password_guessable', field: 'password' });
  },
);

test.each(['Correct-horse-7', 'tr0ub4dor&3'])('%s is taken', (text) => {
  expect(outcomeOf(text)).toBe('taken');
});

test('a part of an address that is in too many words does not count, nor does an address that is not there', () => {
  expect(outcomeOf('Bread-knife-7', { name: 'somebody', email: 'ad@example.com' })).toBe('taken');
  expect(outcomeOf('Bread-knife-7', { name: 'somebody', email: null })).toBe('taken');
});

test('more than three thousand common passwords are known, each of which would keep the rule', () => {
  expect(COMMON_PASSWORDS.size).toBeGreaterThan(3_000);
  const idle = [...COMMON_PASSWORDS].filter((text) => !password.safeParse(text).success || text !== text.toLowerCase());
  expect(idle).toEqual([]);
});
