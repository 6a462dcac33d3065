// What an edit sends: the API merges it into what is there.
import { expect, test } from '@jest/globals';
import { changeBetween } from './run-values.ts';

test('an edit sends what differs, and null for what is no more, at any depth', () => {
  const before = {
    name: 'a',
    host: 'b',
    input: { dataset: 'c', version: 3, columns: ['d', 'e'] },
    gpu: { model: 'f' },
  };
  expect(changeBetween(before, before)).toEqual({});
  expect(changeBetween(before, { name: 'a', input: { dataset: 'c', columns: ['d'] }, gpu: { model: 'f' } })).toEqual({
    host: null,
    input: { dataset: 'c', version: null, columns: ['d'] },
  });
});

test('of a field that was not there, all is sent', () => {
  expect(changeBetween({}, { gpu: { model: 'f' }, ports: [{ port: 1 }] })).toEqual({
    gpu: { model: 'f' },
    ports: [{ port: 1 }],
  });
});
