// Changing a password, and what ends with it besides sessions.
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { words as parts } from '../../../parts/words/en.ts';
import { words as account } from '../words/en.ts';
import { PasswordSection } from './password-section.tsx';

const SAVE = 'PUT /api/auth/v1/account/acc-1';
const OLD = 'Correct-horse-7';
const NEW = 'Correct-horse-8';
const REVOKES = 'Also revoke my API tokens and kubeconfigs';
const { answer, bodies } = playAnswers();

async function change(
  has_password = true,
  meanwhile: (user: ReturnType<typeof userEvent.setup>) => unknown = () => {},
) {
  answer(SAVE, playedResult({}));
  const user = userEvent.setup();
  render(<PasswordSection account={{ account_id: 'acc-1', has_password }} />, {
    wrapper: appAround({ account, parts }),
  });
  if (has_password) await user.type(screen.getByLabelText(/^Current password/), OLD);
  await user.type(screen.getByLabelText(/^New password(?! again)/), NEW);
  await user.type(screen.getByLabelText(/^Repeat new password/), NEW);
  await meanwhile(user);
  await user.click(screen.getByRole('button', { name: has_password ? 'Change password' : 'Set a password' }));
  await screen.findByText(account.modified);
}

test('a new password revokes API tokens and kubeconfigs unless somebody says otherwise', async () => {
  await change();
  expect(bodies(SAVE)).toEqual([{ password: NEW, keep_tokens: false, old_password: OLD }]);
});

test('API tokens and kubeconfigs stay where the box is cleared', async () => {
  await change(true, (user) => user.click(screen.getByRole('checkbox', { name: REVOKES })));
  expect(bodies(SAVE)).toEqual([{ password: NEW, keep_tokens: true, old_password: OLD }]);
});

test('the box is ticked again for the next change', async () => {
  await change(true, (user) => user.click(screen.getByRole('checkbox', { name: REVOKES })));
  expect((screen.getByRole('checkbox', { name: REVOKES }) as HTMLInputElement).checked).toBe(true);
});

test('a first password is asked without an old one, and revokes them, too', async () => {
  await change(false);
  expect(bodies(SAVE)).toEqual([{ password: NEW, keep_tokens: false }]);
});
