// The wallet's amounts, with the card that pays by itself.
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { words as parts } from '../../../parts/words/en.ts';
import { words as billing } from '../words/en.ts';
import { WalletPanel } from './wallet-panel.tsx';

const { answer } = playAnswers();
const MONEY = { cash: '7', credits: '0', debt: '0', held: '0', overdraft: '0', accrued: '0', per_hour: '0' };
const WALLET = {
  ...MONEY,
  currency: 'USD',
  balance: '7',
  available: '7',
  hours_left: null,
  in_credit: true,
  reason: null,
};

test.each([
  ['its end', { last4: '4242', exp_time: '12/2999' }, 'Expires 12/2999'],
  ['that it has expired', { last4: '4242', exp_time: '01/2020' }, 'Expired'],
])('the default card stands among the amounts, with %s', async (_, card_info, end) => {
  answer('GET /api/paybill/v1/wallet-balances', playedResult(WALLET));
  answer('GET /api/auth/v1/organization/me', playedResult({ org_id: 'acme', card_info }));
  render(<WalletPanel />, { wrapper: appAround({ billing, parts }) });
  expect(await screen.findByText('•••• 4242')).toBeTruthy();
  expect(screen.getByText(end)).toBeTruthy();
});

test('without a card there is no line for one', async () => {
  answer('GET /api/paybill/v1/wallet-balances', playedResult(WALLET));
  answer('GET /api/auth/v1/organization/me', playedResult({ org_id: 'acme', card_info: null }));
  render(<WalletPanel />, { wrapper: appAround({ billing, parts }) });
  await screen.findByText(billing.wallet.cash);
  expect(screen.queryByText(billing.wallet.card)).toBeNull();
});
