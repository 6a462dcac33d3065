// Values of secrets are written and never read: what is untouched stays, what is typed replaces, and errors find their row.
import { expect, test } from '@jest/globals';
import { type EnvRow, envBodyOf, envRowsOf, errorsAtRows, rowField, withoutSecretValues } from './env-rows.ts';

const plain = (name: string, value = ''): EnvRow => ({ name, value, isSecret: false });
const kept = (name: string, value = ''): EnvRow => ({
  ...{ name, value, isSecret: true },
  kept: { secret: 'job-1-env', key: name },
});
const fresh = (name: string, value: string): EnvRow => ({ name, value, isSecret: true });

test('a kept secret goes as its reference, a new one as its value, and a replaced one as its new value alone', () => {
  const body = envBodyOf([fresh('NEW', 'n'), plain('A', '1'), kept('KEPT'), kept('REPLACED', 'r')]);
  expect(body).toEqual({
    env: [{ name: 'A', value: '1' }],
    secretEnv: [{ name: 'KEPT', secret: 'job-1-env', key: 'KEPT' }],
    secrets: [
      { name: 'NEW', value: 'n' },
      { name: 'REPLACED', value: 'r' },
    ],
  });
});

test('a secret that is made plain needs a value: the old one is not known', () => {
  expect(envBodyOf([{ ...kept('A'), isSecret: false }])).toEqual({ env: [{ name: 'A', value: '' }] });
});

test('without variables the body has none', () => {
  expect(envBodyOf([])).toEqual({});
});

test('a copy leaves out secrets of the other object, and keeps references to those of the organisation', () => {
  const spec = {
    env: [{ name: 'A', value: '1' }],
    secretEnv: [
      { name: 'OWN', secret: 'job-1-env', key: 'OWN' },
      { name: 'SHARED', secret: 'registry', key: 'token' },
    ],
  };
  const rows = envRowsOf(spec, (secret) => secret.startsWith('job-1-'));
  expect(rows.map(({ name, kept: of }) => [name, of?.secret])).toEqual([
    ['A', undefined],
    ['OWN', undefined],
    ['SHARED', 'registry'],
  ]);
});

test('an error of a member of the body stands at its row, whatever came between', () => {
  const rows = [fresh('X', 'x'), plain('A'), kept('K'), plain('B')];
  expect(rowField('env.1.name', rows)).toBe('env.3.name');
  expect(rowField('secrets.0.value', rows)).toBe('env.0.value');
  expect(rowField('secretEnv.0.name', rows)).toBe('env.2.name');
  expect(rowField('image', rows)).toBe('image');
  const errors = {
    image: { message: 'i' },
    env: [undefined, { name: { message: 'b' } }],
    secrets: [{ name: { message: 'x' } }],
  };
  expect(errorsAtRows(errors, rows)).toEqual({
    image: { message: 'i' },
    env: [{ name: { message: 'x' } }, undefined, undefined, { name: { message: 'b' } }],
  });
});

test('an error of all variables stays one of the group', () => {
  expect(errorsAtRows({ secrets: { message: 'too many' } }, [])).toEqual({ env: { message: 'too many' } });
});

test('a draft has no value of a secret, and all plain ones', () => {
  const { env } = withoutSecretValues({ env: [plain('A', '1'), fresh('S', 'hunter2'), kept('K', 'other')] });
  expect(env.map(({ value }) => value)).toEqual(['1', '', '']);
});
