// A person who registers in the way that the pages offer: a code out of a mail, the name that is suggested, and a password.
import { expect } from '@jest/globals';
import { mailedCode } from '../support/sign-up.ts';
import type { Visitor } from './visitor.ts';
import type { WebStage } from './web-stage.ts';

export const PASSWORD = 'Correct-horse-7';

/** From the login page to the first page of the console. */
export async function signUpByHand(web: WebStage, { page }: Visitor, name: string): Promise<void> {
  const email = `${name}@example.test`;
  await page.goto('/login');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Verification code').fill(await mailedCode(web.mailbox, email));
  await page.getByRole('button', { name: 'Continue' }).click();
  // Suggested by the address.
  await page.getByLabel('Username').waitFor();
  expect(await page.getByLabel('Username').inputValue()).toBe(name);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
  await page.getByRole('textbox', { name: 'Repeat password' }).fill(PASSWORD);
  await page.getByLabel(/I accept the/).check();
  await page.getByRole('button', { name: 'Create account' }).click();
}

export async function signInByHand({ page }: Visitor, name: string, password = PASSWORD): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Username, e-mail or phone number').fill(name);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}
