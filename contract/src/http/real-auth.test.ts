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

test.each([
  [personal, 'phone', '12', 'contact_phone_rule'],
  [personal, 'phone', '+86 138', 'contact_phone_rule'],
  [enterprise, 'credit_code', '9135', 'credit_code_rule'],
  [enterprise, 'credit_code', 'I1350211M000100Y43', 'credit_code_rule'],
])('%j with another %s, %s, is refused by name', (right, field, value, rule) => {
  expect(submit(right)).toEqual([]);
  const refused = submit({ ...right, [field]: value });
  expect(refused).toEqual([[field, rule]]);
});
