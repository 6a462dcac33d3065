// The required form of a submission; checks against stored data are tested beside the store.
import { expect, test } from '@jest/globals';
import { REAL_AUTH_ROUTES } from './real-auth.ts';

const submit = (fields: object) => {
  const { error } = REAL_AUTH_ROUTES.submitRealAuth.body.safeParse(fields);
  return error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];
};
const personal = { type: 1, name: 'A', id_card: '11010519491231002X', phone: '+8613800138000', commitment: true };
const enterprise = {
  type: 2,
  legal_name: 'A',
  enterprise_name: 'B',
  credit_code: '91350211M000100Y43',
  id_card: '11010519491231002X',
  contact_name: 'C',
  license_picture: 'pic-1',
  id_front_picture: 'pic-2',
  id_back_picture: 'pic-3',
  commitment: true,
};
const { id_card: _, ...anybody } = personal;
const passport = {
  ...anybody,
  document: 'passport',
  document_country: 'US',
  document_number: 'X1234567',
  document_picture: 'pic-1',
};
const { name: _name, phone: _phone, ...proven } = passport;
const foreign = {
  ...proven,
  type: 2,
  legal_name: 'A',
  enterprise_name: 'B',
  credit_code: 'HRB 12345',
  contact_name: 'C',
  license_picture: 'pic-2',
};

test('a passport and a phone number are stored in one form, however they are written', () => {
  const written = { ...passport, document_number: 'x 123-4567', phone: '+1 415 555 0132' };
  expect(REAL_AUTH_ROUTES.submitRealAuth.body.parse(written)).toEqual({ ...passport, phone: '+14155550132' });
});

test.each([
  ['an ID card without a number', anybody],
  ['an ID card with a country', { ...personal, document_country: 'CN' }],
  ['a passport with the number of an ID card', { ...passport, id_card: personal.id_card }],
  ['a passport without a picture', { ...passport, document_picture: undefined }],
  ['a document of an unknown kind', { ...passport, document: 'library_card' }],
  ['a document named after a member of objects', { ...passport, document: 'constructor' }],
  ['a foreign enterprise with pictures of an ID card', { ...foreign, id_front_picture: 'pic-3' }],
])('%s is refused', (_case, fields) => expect(submit(fields).length).toBeGreaterThan(0));

test.each([
  [personal, 'phone', '12', 'contact_phone_rule'],
  [personal, 'phone', '+86 138', 'contact_phone_rule'],
  [passport, 'document_number', '12', 'document_number_rule'],
  [passport, 'document_country', 'XX', 'country_rule'],
  [foreign, 'credit_code', '?', 'registration_number_rule'],
  [enterprise, 'credit_code', '9135', 'credit_code_rule'],
  [enterprise, 'credit_code', 'I1350211M000100Y43', 'credit_code_rule'],
])('%j with another %s, %s, is refused by name', (right, field, value, rule) => {
  expect(submit(right)).toEqual([]);
  const refused = submit({ ...right, [field]: value });
  expect(refused).toEqual([[field, rule]]);
});
