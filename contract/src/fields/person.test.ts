import { describe, expect, it } from '@jest/globals';
import type * as z from 'zod';
import { accountName, contactPhone, email, mayBeCalled, password, phone, sixDigits } from './person.ts';

/** The parsed value, or the message of the first fault. */
function read(schema: z.ZodType, input: unknown): unknown {
  const parsed = schema.safeParse(input);
  return parsed.success ? parsed.data : { refused: parsed.error.issues[0]?.message };
}

const taken = (text: string) => ({ input: text, gives: text as unknown });
const refused = (input: unknown, by: string) => ({ input, gives: { refused: by } as unknown });

describe('an account name', () => {
  it.each([
    taken('alice'),
    taken('A.b-c_d@e'),
    taken('a'.repeat(20)),
    taken('12345'),
    refused('', 'username_required'),
    refused(undefined, 'username_required'),
    refused('abcd', 'username_rule'),
    refused('a'.repeat(21), 'username_rule'),
    refused('with space', 'username_rule'),
    refused('аlice', 'username_rule'), // Cyrillic а
    refused('алиса', 'username_rule'),
    refused('alice\n', 'username_rule'),
    refused('ａlice', 'username_rule'), // full width
    refused('ali\u200bce', 'username_rule'), // zero width space
    refused("a' or 1=1", 'username_rule'),
    refused('../etc', 'username_rule'),
  ])('$input', ({ input, gives }) => expect(read(accountName, input)).toEqual(gives));
});

describe('a password', () => {
  it.each([
    taken('letters1'),
    taken('1234567a'),
    taken('Sym!b0l~#$%&*()_'),
    refused(undefined, 'password_rule'),
    refused('short1a', 'password_rule'),
    refused('abcdefgh', 'password_rule'),
    refused('12345678', 'password_rule'),
    refused('with a space1', 'password_rule'),
    refused('12345678901234567a', 'password_rule'),
    refused('pässwort12', 'password_rule'),
    refused('letters1\n', 'password_rule'),
  ])('$input', ({ input, gives }) => expect(read(password, input)).toEqual(gives));
});

describe('an e-mail address', () => {
  it.each([
    taken('a@example.com'),
    { input: 'Some.One+tag@Example.COM', gives: 'some.one+tag@example.com' as unknown },
    refused('', 'email_rule'),
    refused('nobody', 'email_rule'),
    refused('two@at@example.com', 'email_rule'),
    refused('a@example.com\r\nBcc: all@example.com', 'email_rule'),
    refused('а@example.com', 'email_rule'), // Cyrillic а
    refused(`${'a'.repeat(250)}@example.com`, 'email_rule'),
    refused(7, 'email_rule'),
  ])('$input', ({ input, gives }) => expect(read(email, input)).toEqual(gives));
});

describe('a phone number', () => {
  it.each([
    taken('+819012345678'),
    { input: '13800138000', gives: '+8613800138000' as unknown },
    refused('', 'phone_rule'),
    refused('12800138000', 'phone_rule'),
    refused('0123456789', 'phone_rule'),
    refused('+0123456789', 'phone_rule'),
    refused('+81  90 1234', 'phone_rule'),
    { input: '+1 415 555 0132', gives: '+14155550132' as unknown },
    refused('138 0013 8000', 'phone_rule'),
    refused('+1234567890123456', 'phone_rule'),
    refused('１３８００１３８０００', 'phone_rule'), // full-width digits
  ])('$input', ({ input, gives }) => expect(read(phone, input)).toEqual(gives));
});

describe('a phone number to reach somebody at', () => {
  it.each([
    taken('13800000000'),
    taken('01062345678'),
    taken('+14155550132'),
    { input: '+1 415 555 0132', gives: '+14155550132' as unknown },
    { input: '+1 (415) 555-0132', gives: '+14155550132' as unknown },
    { input: '+1(415)5550132', gives: '+14155550132' as unknown },
    { input: '+81-90-1234-5678', gives: '+819012345678' as unknown },
    { input: '+33.1.23.45.67.89', gives: '+33123456789' as unknown },
    refused('+44 (0)20 7946 0958', 'contact_phone_rule'),
    refused('+1  415 555 0132', 'contact_phone_rule'),
    refused('+1 415 555 0132 ', 'contact_phone_rule'),
    refused('+1 415 555 0132 ext 5', 'contact_phone_rule'),
    refused('+1 (415 555 0132', 'contact_phone_rule'),
    refused('+0 415 555 0132', 'contact_phone_rule'),
    refused('+1 415\n555 0132', 'contact_phone_rule'),
    refused('415 555 0132', 'contact_phone_rule'),
    refused('+12 34', 'contact_phone_rule'),
    refused('+1234567890123456', 'contact_phone_rule'),
    refused('＋１４１５５５５０１３２', 'contact_phone_rule'),
    refused(`+${'1-'.repeat(1 << 19)}`, 'contact_phone_rule'),
  ])('$input', ({ input, gives }) => expect(read(contactPhone, input)).toEqual(gives));
});

it('a code is six digits', () => {
  expect(read(sixDigits, '012345')).toBe('012345');
  for (const input of ['12345', '1234567', '12345a', '', undefined, '１２３４５６'])
    expect(read(sixDigits, input)).toEqual({ refused: 'code_wrong' });
});

describe('a name that reads as an address', () => {
  const nobody = { email: null, phone: null };
  it.each([
    { name: 'alice', proven: nobody, may: true },
    { name: 'me@work', proven: nobody, may: true },
    { name: 'a@example.com', proven: nobody, may: false },
    { name: 'a@example.com', proven: { email: 'b@example.com', phone: null }, may: false },
    { name: 'A@Example.com', proven: { email: 'a@example.com', phone: null }, may: true },
    { name: '13800138000', proven: nobody, may: false },
    { name: '13800138000', proven: { email: null, phone: '+8613800138000' }, may: true },
    { name: '123456', proven: nobody, may: true },
  ])('$name, proven $proven: $may', ({ name, proven, may }) => expect(mayBeCalled(name, proven)).toBe(may));
});
