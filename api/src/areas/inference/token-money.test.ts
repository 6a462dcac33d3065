// The money of requests to models: what is kept for one, and what a refusal says.
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { expect, test } from '@jest/globals';
import type { Kept } from '../../core/billing/tokens/token-holds.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { NOTHING_HELD } from './money.ts';
import { tokenMoney } from './token-money.ts';

const CALLER = { organization: { id: 'acme' }, account: { id: 'ann' } } as Caller;
const KEPT = { subject: 'tokens/one', release() {}, spend() {}, posted() {} };

const money = (answer: Kept, asked: unknown[] = []) =>
  tokenMoney(
    { billing: 'off' },
    {
      of() {
        throw new Error('an installation without bills asks no tariff');
      },
    },
    {
      async keep(...of) {
        asked.push(of);
        return answer;
      },
    },
  );

test('nothing is kept for a request that costs nothing', async () => {
  const asked: unknown[] = [];
  expect(await money({ kept: KEPT }, asked).hold(CALLER, parseMoney('0'))).toBe(NOTHING_HELD);
  expect(asked).toEqual([]);
});

test('money is kept for the caller of their organisation', async () => {
  const asked: unknown[] = [];
  expect(await money({ kept: KEPT }, asked).hold(CALLER, parseMoney('0.10'))).toBe(KEPT);
  expect(asked).toEqual([[{ organizationId: 'acme', accountId: 'ann' }, parseMoney('0.10')]]);
});

test('a refusal names what is needed and what is free', async () => {
  const refused = { wanted: '0.10', available: '0.03', currency: 'USD' };
  await expect(money(refused).hold(CALLER, parseMoney('0.10'))).rejects.toMatchObject({
    code: 'credit_needed',
    message: expect.stringContaining('$0.10, and $0.03 are free'),
  });
});

test('tokens are free where the installation sends no bills', () => {
  expect(money({ kept: KEPT }).priceOf('acme', 'any', 0)).toBeUndefined();
});
