// The rules of paying that need nothing but numbers and keys.
import { generateKeyPairSync } from 'node:crypto';
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { describe, expect, test } from '@jest/globals';
import { limitsOf, requireWithin } from './limits.ts';
import { fromMinor, isPayable, minorOf } from './minor-units.ts';
import { askAgainInMs } from './polling.ts';
import { type Envelope, keysOf, requireSigned, signatureOf } from './signed-messages.ts';
import { referenceOf } from './transfer-channel.ts';

const $ = parseMoney;

test.each([
  ['dollars have cents', '12.34', 'USD', 1234],
  ['yen have nothing smaller', '500', 'JPY', 500],
  ['dinars have thousandths', '1.234', 'KWD', 1234],
] as const)('%s', (_, amount, currency, minor) => {
  expect(minorOf($(amount), currency)).toBe(minor);
  expect(fromMinor(minor, currency)).toBe($(amount));
});

test('an amount smaller than a coin is not rounded', () => {
  expect([isPayable($('0.5'), 'JPY'), isPayable($('0.005'), 'USD')]).toEqual([false, false]);
  expect(() => minorOf($('0.005'), 'USD')).toThrow(RangeError);
});

describe('limits', () => {
  const limits = limitsOf(['USD:1-100', 'JPY:100-1000']);
  test.each([
    ['the least', '1', 'USD', undefined],
    ['the most', '100', 'USD', undefined],
    ['less', '0.99', 'USD', 'amount_outside'],
    ['more', '100.01', 'USD', 'amount_outside'],
    ['half a yen', '100.50', 'JPY', 'amount_unit'],
    ['a currency that is not named', '10', 'EUR', 'currency_not_payable'],
  ])('%s', (_, amount, currency, problem) => {
    const ask = () => requireWithin(limits, $(amount), currency);
    if (problem === undefined) expect(ask).not.toThrow();
    else expect(ask).toThrow(expect.objectContaining({ problem }));
  });
  test.each(['USD', 'USD:5-1', 'USD:0-1', 'usd:1-2'])('"%s" is no range', (row) => {
    expect(() => limitsOf([row])).toThrow(RangeError);
  });
});

test('a young payment is asked about often, an old one seldom', () => {
  const minutes = [0, 1, 5, 60, 600, 6000];
  expect(minutes.map((age) => askAgainInMs(age * 60_000) / 1000)).toEqual([10, 10, 60, 300, 1800, 21_600]);
});

test('references of transfers are apart, and the same for the same payment', () => {
  const all = Array.from({ length: 1000 }, (_, at) => referenceOf(`pay-${at}`));
  expect(new Set(all).size).toBe(1000);
  expect(referenceOf('pay-1')).toBe(all[1]);
});

describe('signed messages', () => {
  const pair = () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
  const [ours, theirs] = [pair(), pair()];
  const envelope: Envelope = { target: 'POST /orders', timestamp: '1000', nonce: 'n', body: Buffer.from('{"a":1}') };
  const sides = {
    HMAC: [keysOf('a-secret-of-both-sides\n'), keysOf('a-secret-of-both-sides')],
    RSA: [keysOf(ours.privateKey + theirs.publicKey), keysOf(theirs.privateKey + ours.publicKey)],
  } as const;
  describe.each(['HMAC', 'RSA'] as const)('by %s', (scheme) => {
    const [sender, reader] = sides[scheme];
    const signature = signatureOf(sender, envelope);
    const read = (changes: Partial<Envelope> = {}, now = 1000) =>
      requireSigned(reader, { ...envelope, ...changes }, signature, now);
    test('are read by the other side', () => expect(() => read()).not.toThrow());
    test.each([
      ['another path', { target: 'POST /refunds' }],
      ['another nonce', { nonce: 'm' }],
      ['another body', { body: Buffer.from('{"a":2}') }],
      ['another time', { timestamp: '1001' }],
    ])('%s is refused', (_, changes) => expect(() => read(changes)).toThrow());
    test.each([1301, 699])('so is one of second 1000 at second %i', (now) => expect(() => read({}, now)).toThrow());
  });
  test.each(['short', ours.privateKey])('a key file that is none is refused', (text) => {
    expect(() => keysOf(text)).toThrow(RangeError);
  });
});
