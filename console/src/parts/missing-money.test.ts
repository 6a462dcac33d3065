import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { expect, test } from '@jest/globals';
import { missingIn, missingOf, rechargePath } from './missing-money.ts';

test.each([
  ['all of it where there is nothing', '0.0016', '0.00', '0.0016'],
  ['the difference, exactly', '3.456789', '1.20', '2.256789'],
  ['what is owed too', '1.00', '-0.50', '1.50'],
  ['nothing where there is enough', '1.00', '1.00', undefined],
])('missing is %s', (_, needed, available, missing) => expect(missingOf({ needed, available })).toBe(missing));

const refused = (error: 'not_enough_credit' | 'spend_cap_reached') =>
  new ApiProblem({
    status: 402,
    code: 40265,
    error,
    message: '',
    args: { wanted: '0.0016', available: '0.00', currency: 'USD' },
  });

test('a refusal says what is missing only if money is', () => {
  expect([
    missingIn(refused('not_enough_credit')),
    missingIn(refused('spend_cap_reached')),
    missingIn(new Error()),
  ]).toEqual(['0.0016', undefined, undefined]);
});

test('the page is asked for what is missing', () => {
  expect([rechargePath('0.0016'), rechargePath(undefined)]).toEqual([
    '/manage/billing/recharge?missing=0.0016',
    '/manage/billing/recharge',
  ]);
});
