// The real-name page against an API whose answers are played: what may be submitted, and what is said of credit and time.
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { words as account } from '../words/en.ts';
import { RealNameTab } from './real-name-tab.tsx';

const { answer, bodies, calls } = playAnswers();
const OWN = 'GET /api/account/v1/user-real-auth';
const SUBMIT = 'POST /api/account/v1/real-auth';
const NOTHING = { type: null, status: 0, reason: null, welcome_credit: 'none', personal: null, enterprise: null };
const PASSPORT = {
  id: 'rna-1',
  account_id: 'acc-1',
  account_name: 'ann',
  type: 1,
  status: 1,
  state: 'approved',
  name: 'Ann Lee',
  document: 'passport',
  id_card: null,
  document_country: 'US',
  document_number: 'X1234567',
  document_picture: null,
  phone: '+14155550132',
  enterprise_name: null,
  credit_code: null,
  contact_name: null,
  license_picture: null,
  id_front_picture: null,
  id_back_picture: null,
  commitment_version: '2026-11',
  commitment_time: '2026-11-20T00:00:00Z',
  submit_time: '2026-11-20T00:00:00Z',
  audit_time: '2026-11-21T00:00:00Z',
  reason: null,
};

beforeEach(() => {
  answer('GET /api/auth/v1/organization/me', playedResult({ org_id: 'acme', currency: 'USD', rights: ['pay'] }));
});

function show(own: object, documents = ['idCard', 'passport']) {
  answer(OWN, playedResult(own));
  const settings = { welcome_credits: '25.00', real_name_documents: documents, real_name_review_hours: 4 };
  answer('GET /api/settings', playedResult(settings));
  render(
    <MemoryRouter>
      <RealNameTab />
    </MemoryRouter>,
    { wrapper: appAround({ account }) },
  );
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(new RegExp(`^${label}`)), { target: { value } });

test('the page names the usual time of a review', async () => {
  show(NOTHING);
  expect(await screen.findByText(/usually takes at most 4 hours/)).toBeTruthy();
});

test('whoever is certified without the credit reads its sum and why there is none', async () => {
  show({ ...NOTHING, type: 1, status: 1, welcome_credit: 'usedElsewhere', personal: PASSPORT });
  const said = await screen.findByText(/no welcome credit of \$25: each person gets it once/);
  expect(said).toBeTruthy();
  expect(screen.getByText('United States')).toBeTruthy();
  expect(screen.getByText('X•••••67')).toBeTruthy();
});

test('whoever got the credit reads so', async () => {
  show({ ...NOTHING, type: 1, status: 1, welcome_credit: 'granted', personal: PASSPORT });
  expect(await screen.findByText(account.realName.credit.granted)).toBeTruthy();
});

test('where the ID card is the only document, it is the only field', async () => {
  show(NOTHING, ['idCard']);
  expect(await screen.findByLabelText(/^ID card number/)).toBeTruthy();
  expect(screen.queryByLabelText(/^Document/)).toBeNull();
});

test('a passport needs a country, a number and a picture, each asked for at its field', async () => {
  show(NOTHING);
  await screen.findByLabelText(/^Document number/);
  fireEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await screen.findByText('Choose the country that issued the document.');
  expect(screen.getByText('A document number has 4 to 24 letters and digits.')).toBeTruthy();
  const picture = within(screen.getByRole('group', { name: /^Picture of the document/ }));
  expect(picture.getByRole('alert')).toBeTruthy();
  expect(calls(SUBMIT)).toBe(0);
});

test('an ID card is sent with its number alone, and a phone number as it was typed', async () => {
  show(NOTHING);
  answer(SUBMIT, playedResult({ ...PASSPORT, state: 'pending', status: 3 }));
  fireEvent.mouseDown(await screen.findByRole('combobox', { name: /^Document/ }));
  fireEvent.click(await screen.findByRole('option', { name: 'Chinese ID card' }));
  type('Name', 'Ann Lee');
  type('ID card number', '11010519491231002X');
  type('Phone', '+1 415 555 0132');
  fireEvent.click(screen.getByRole('checkbox'));
  fireEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(bodies(SUBMIT)).toHaveLength(1));
  expect(bodies(SUBMIT)).toEqual([
    {
      type: 1,
      name: 'Ann Lee',
      document: 'idCard',
      id_card: '11010519491231002X',
      phone: '+1 415 555 0132',
      commitment: true,
    },
  ]);
});
