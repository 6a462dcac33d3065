// The redactions of collected texts: each form that is known, the texts that stay, and hostile texts in a time that grows with their
// length.
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../../../../test/support/seeded-fast-check.ts';
import { redacted, redactedJson } from './redact.ts';

const TOKEN = `${'aB3-'.repeat(10)}xY9`;

describe('taken out', () => {
  test.each([
    ['write to ann.lee+x@mail.example.com, please', 'write to [email], please'],
    ['邮箱是ann@example.com谢谢', '邮箱是[email]谢谢'],
    ['Ann <ANN@EXAMPLE.CO.JP>', 'Ann <[email]>'],
    ['https://ann@example.com/x', 'https://[email]/x'],
    ['Jürgen: jürgen@müller.example', 'Jürgen: [email]'],
    ['+49 (0)30 123456-78', '[phone]'],
    ['call +1 415 555 0100 now', 'call [phone] now'],
    ['or (415) 555-0100', 'or [phone]'],
    ['我的电话13800138000。', '我的电话[phone]。'],
    ['138-0013-8000', '[phone]'],
    ['電話は090-1234-5678です', '電話は[phone]です'],
    ['０９０－１２３４－５６７８ and ０９０１２３４５６７８', '[phone] and [phone]'],
    ['03 1234 5678', '[phone]'],
    ['card 4242 4242 4242 4242.', 'card [card].'],
    ['4242-4242-4242-4242', '[card]'],
    ['4242424242424242', '[card]'],
    ['no 12 4242 4242 4242 4242 exp 12', 'no 12 [card] exp 12'],
    ['3782 822463 10005', '[card]'],
    ['身份证11010519491231002X', '身份证[id]'],
    [`my key is gty_${TOKEN}`, 'my key is [key]'],
    [`gtv_${TOKEN}!`, '[key]!'],
    [`X-Token: ${TOKEN}`, 'X-Token: [key]'],
    ['sk-proj-abcdefghijklmnop1234', '[key]'],
    ['hf_AbCdEfGhIjKlMnOpQrSt', '[key]'],
    ['AKIAIOSFODNN7EXAMPLE', '[key]'],
    ['Authorization: Bearer abc.def-ghi_123', 'Authorization: Bearer [key]'],
    ['authorization: basic YWxhZGRpbjpvcGVu', 'authorization: basic [key]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', '[key]'],
    ['{"api_key": "abcdefgh"}', '{"api_key": "[key]"}'],
    ['password=hunter22', 'password=[key]'],
    ['DB_PASSWORD=hunter22', 'DB_PASSWORD=[key]'],
    ['client_secret: abcdefgh', 'client_secret: [key]'],
    ['{"password": "x"}', '{"password": "[key]"}'],
    ['{"password":"two words, and; more","user":"ann"}', '{"password":"[key]","user":"ann"}'],
    ['{"password": "a\\"b"}', '{"password": "[key]"}'],
    ['{\\"token\\": \\"a b\\"}', '{\\"token\\": \\"[key]\\"}'],
    ["{'authorization': 'abc'}", "{'authorization': '[key]'}"],
    ['api key: ab1', 'api key: [key]'],
    ['pwd=1', 'pwd=[key]'],
    ['密码：ab1', '密码：[key]'],
    ['パスワード:ab1', 'パスワード:[key]'],
    ['Cookie: session=abc', 'Cookie: [key]'],
    ['LTAI5tAbCdEfGhIjKlMnOpQr', '[key]'],
    ['AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE', '[key]'],
    [`AccountKey=${'aB3/'.repeat(21)}aB==`, 'AccountKey=[key]'],
    [`is ${'aB3/'.repeat(21)}aB==.`, 'is [key].'],
    ['https://a.example/b?sv=1&sig=ab%2Fc&x=1', 'https://a.example/b?sv=1&sig=[key]&x=1'],
    ['sk_live_abcdefghijklmnop', '[key]'],
    ['nvapi-abcdefghijklmnop', '[key]'],
    ['MY_API_KEY=abcdefgh', 'MY_API_KEY=[key]'],
    ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'AWS_SECRET_ACCESS_KEY=[key]'],
    ['access_token=abcdefgh12', 'access_token=[key]'],
    ['postgres://app:s3cretpw@db:5432/x', 'postgres://app:[key]@db:5432/x'],
    ['redis://:s3cretpw@cache', 'redis://:[key]@cache'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nbye', '[key]\nbye'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE', '[key]'],
  ])('%j becomes %j', (text, expected) => expect(redacted(text)).toBe(expected));
});

describe('left as it is', () => {
  test.each([
    'What is 2 + 2? It is 4.',
    'on 2026-11-27 at 09:30:00, 1732700000000 ms',
    'pi is 3.14159265358979',
    'order 1234567890123456',
    'max_tokens: 100, stop tokens: a',
    '{"password": null, "token": true}',
    'http://192.168.100.200:8080/v1',
    'a bearer of news, a basic thing, tokens',
    'task-force, sk-learn, @decorator and a @ b',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ])('%j', (text) => expect(redacted(text)).toBe(text));
});

test('JSON keeps its shape, and loses what its texts, names and numbers tell', () => {
  const value = { 'ann@example.com': [1, true, null, 4242424242424242, 13800138000, { a: 'x@y.example' }], n: 1.5 };
  expect(redactedJson(value)).toEqual({
    '[email]': [1, true, null, '[card]', '[phone]', { a: '[email]' }],
    n: 1.5,
  });
});

test('in JSON, a member that is named as a secret loses its value, and its description stays', () => {
  expect(
    redactedJson({
      password: 'x',
      api_key: ['a', 1, null, ''],
      accessToken: 7,
      Authorization: 'b',
      max_tokens: 5,
      token: { type: 'string', description: 'of a session' },
      deep: [{ client_secret: 'y' }],
    }),
  ).toEqual({
    password: '[key]',
    api_key: ['[key]', '[key]', null, ''],
    accessToken: '[key]',
    Authorization: '[key]',
    max_tokens: 5,
    token: { type: 'string', description: 'of a session' },
    deep: [{ client_secret: '[key]' }],
  });
});

const deep = (levels: number): unknown => (levels === 0 ? 'ann@example.com' : [deep(levels - 1)]);
test('what is nested too deep is left out', () => {
  expect(JSON.stringify(redactedJson(deep(1000)))).not.toContain('ann');
});

const digits = (length: number) => fc.array(fc.nat(9), { minLength: length, maxLength: length });
/** The last digit makes the check pass. */
const card = fc.tuple(fc.integer({ min: 2, max: 9 }), digits(14)).map(([first, rest]) => {
  const body = [first, ...rest];
  const sum = body.reduce((all, digit, at) => {
    const weighed = at % 2 === 0 ? digit * 2 : digit;
    return all + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return [...body, (10 - (sum % 10)) % 10].join('');
});
const word = (letters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength });
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const planted = fc.oneof(
  card,
  card.map((text) => text.replaceAll(/(\d{4})(?=\d)/g, '$1 ')),
  fc.tuple(word(`${LETTERS}._+-`, 1, 64), word(LETTERS, 1, 20)).map(([local, host]) => `${local}@${host}.example`),
  word(`${LETTERS}ABC_-`, 20, 60).map((secret) => `sk-${secret}`),
  word(`${LETTERS}ABC._~+/-`, 8, 60).map((secret) => `Bearer ${secret}`),
  digits(10).map((rest) => `+49${rest.join('')}`),
);

test('whatever stands around it, what is planted is gone, and nothing throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), planted, fc.string({ unit: 'grapheme' }), (before, secret, after) => {
      const text = redacted(`${before}\n${secret}\n${after}`);
      expect(text.split('\n')).not.toContain(secret);
      expect(text).not.toContain(secret.replace('Bearer ', ''));
    }),
    { numRuns: 2_000 },
  );
});

const named = fc.constantFrom(
  'password',
  'api_key',
  'x-api-key',
  'DB_PASSWORD',
  'token',
  'authorization',
  'client_secret',
);
/** Nothing else of the text has these letters. */
const opens = fc
  .string({ unit: fc.constantFrom(...'ÄÖÜ \\"\',;:=}'), minLength: 1, maxLength: 40 })
  .map((text) => `Ä${text}`);

test('what a secret is called, the whole of its value is gone, in JSON, in a text that holds JSON, and in JSON within that', () => {
  fc.assert(
    fc.property(named, opens, fc.jsonValue({ maxDepth: 2 }), (name, secret, other) => {
      const value = { other, [name]: secret, last: 1 };
      const texts = [value, { text: JSON.stringify(value) }, { text: JSON.stringify({ text: JSON.stringify(value) }) }];
      for (const one of texts) expect(JSON.stringify(redactedJson(one))).not.toContain('Ä');
    }),
    { numRuns: 2_000 },
  );
});

test('any JSON can be redacted, and stays JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(() => JSON.parse(JSON.stringify(redactedJson(value)))).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});

const BYTES = 256 * 1024;
test.each([
  'a',
  'a@',
  '@',
  'a.',
  'a@b.',
  'a@b.c ',
  '1',
  '1 ',
  '4-',
  '+1',
  '(0',
  '0 ',
  'sk-',
  'gty_',
  'eyJ',
  'eyJaaaaaaaa.',
  'bearer ',
  'Bearer a ',
  'bearer\n\n\n\n',
  'api_key=',
  'password: " ',
  'password: "\\',
  '"token": "',
  'token=\\\\"',
  'token ',
  'api ',
  'Cookie: ',
  '&sig=',
  'aB3/',
  'secret_access_',
  'DB_PASSWORD=x ',
  '://',
  '://a:',
  'a:b@://',
  '０－',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN A',
  '[email]',
  'aA1-',
])('%j over and over takes a time that grows with its length', (piece) => {
  const text = piece.repeat(BYTES / piece.length);
  const began = performance.now();
  redacted(text);
  // A quarter of a MiB; what backtracks would take minutes.
  expect(performance.now() - began).toBeLessThan(3_000);
});
