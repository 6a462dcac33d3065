// A discount code, as a person types it, against an API whose answers are played.
import { appAround, playAnswers, playedRefusal, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { words as english } from '../words/en.ts';
import { CodePanel } from './code-panel.tsx';

const REDEEM = 'POST /api/paybill/v1/discount-code';
const LIST = 'GET /api/paybill/v1/discount-code';
const App = appAround({ billing: english });
const { answer, bodies } = playAnswers();

beforeEach(() => {
  const old = { code: 'OLD-1', percent: 0, source_type: null, redeemed_at: '2026-01-01T00:00:00Z', valid_to: null };
  answer(LIST, { body: { code: 0, message: 'ok', data: [old] } });
  render(<CodePanel />, { wrapper: App });
});

function redeem(code: string) {
  fireEvent.change(screen.getByLabelText('Code'), { target: { value: code } });
  fireEvent.click(screen.getByRole('button', { name: 'Redeem' }));
}

test('a code is sent as it was typed, without spaces around it, and the field is empty again', async () => {
  answer(REDEEM, playedResult({ code: 'SUMMER-26', percent: 20, source_type: null, redeemed_at: '', valid_to: null }));
  await screen.findByText('OLD-1: no longer valid');
  redeem('  summer-26 ');
  await waitFor(() => expect(bodies(REDEEM)).toEqual([{ code: 'summer-26' }]));
  await waitFor(() => expect((screen.getByLabelText('Code') as HTMLInputElement).value).toBe(''));
});

test('a refusal stands at the field, and what was typed stays', async () => {
  answer(REDEEM, playedRefusal('discount_code_invalid', 'This code does not exist.'));
  redeem('NOTHING');
  await waitFor(() => expect(screen.getByLabelText('Code').getAttribute('aria-invalid')).toBe('true'));
  expect((screen.getByLabelText('Code') as HTMLInputElement).value).toBe('NOTHING');
});
