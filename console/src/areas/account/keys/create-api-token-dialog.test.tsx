// A token with limits: what is typed is what is sent, and a wrong one is said beside its field.
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { words as parts } from '../../../parts/words/en.ts';
import { words as account } from '../words/en.ts';
import { CreateApiTokenDialog } from './create-api-token-dialog.tsx';
import { limitsOf, limitTexts } from './typed-limits.ts';

playLayout();
const { answer, bodies, calls } = playAnswers();
const ROLE = 'member';
const CREATE = 'POST /api/account/v1/api-token';

async function open() {
  render(<CreateApiTokenDialog role={ROLE} onClose={() => {}} />, { wrapper: appAround({ parts, account }) });
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText(new RegExp(account.keys.remark)), 'bot');
  await user.click(screen.getByRole('checkbox', { name: ui.time.permanent }));
  await user.click(screen.getByRole('button', { name: account.tokens.limits }));
  return user;
}

test('limits are sent as they were typed, and those left empty are none', async () => {
  answer(CREATE, playedResult({ token: 'gty_secret' }));
  const user = await open();
  await user.type(screen.getByLabelText(account.tokens.limitModels), 'acme/tiny acme/best');
  await user.type(screen.getByLabelText(account.tokens.limitTokensDay), '1000');
  await user.type(screen.getByLabelText(account.tokens.limitMoneyMonth), '12.50');
  await user.click(screen.getByRole('button', { name: ui.actions.create }));
  await screen.findByText(account.tokens.made);
  expect(bodies(CREATE)[0]).toMatchObject({
    limits: {
      models: ['acme/tiny', 'acme/best'],
      tokens_per_day: 1000,
      money_per_month: '12.50',
      tokens_per_minute: null,
    },
  });
});

test('a model that is no address is refused beside its field', async () => {
  const user = await open();
  await user.type(screen.getByLabelText(account.tokens.limitModels), 'tiny');
  await user.click(screen.getByRole('button', { name: ui.actions.create }));
  expect(await screen.findByText(account.tokens.limitModelsRule)).toBeTruthy();
  expect(calls(CREATE)).toBe(0);
});

test('what is not limited is not said', () => {
  const say = (name: string, { value }: { value?: string } = {}) => `${name} ${value}`;
  expect(limitsOf({ models: ' ' })).toBeNull();
  expect(limitTexts(null, say as never)).toEqual([]);
  expect(limitTexts(limitsOf({ models: 'acme/a', tokens_per_day: 12_000 }), say as never)).toEqual([
    'tokens.limitOf.models acme/a',
    'tokens.limitOf.tokens_per_day 12,000',
  ]);
});
