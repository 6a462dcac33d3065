// The place of a form's errors: at the field concerned, or above the form if the page has no such field.
import { expect, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { ApiProblem } from '../client/api-problem.ts';
import { type ServerForm, useServerForm } from './use-server-form.ts';

interface Values {
  name: string;
  gpu: { model: string };
  sshKeys: string[];
}

const refusal = (field?: string) =>
  new ApiProblem({ status: 422, code: 1, error: 'wrong_gpu', message: 'It is refused.', ...(field && { field }) });

function opened(keysError?: string) {
  const { result } = renderHook(() => {
    const shown = useServerForm<Values>({
      defaultValues: { name: '', gpu: { model: '' }, sshKeys: [] },
      resolver: async (values) =>
        (keysError === undefined
          ? { values, errors: {} }
          : { values: {}, errors: { sshKeys: { type: 'too_big', message: keysError } } }) as never,
    });
    // As an input that is on the page: its element is there.
    for (const name of ['name', 'gpu.model'] as const) shown.form.register(name).ref(document.createElement('input'));
    // Reading it subscribes to updates.
    void shown.form.formState.errors;
    return shown;
  });
  return result as { current: ServerForm<Values> };
}

test.each([
  ['name', 'It is refused.', undefined],
  ['gpu', undefined, 'It is refused.'],
  ['sshKeys.0.publicKey', undefined, 'It is refused.'],
  ['elsewhere', undefined, 'It is refused.'],
  [undefined, undefined, 'It is refused.'],
])('a refusal about %s stands where it is read', async (field, atName, atAll) => {
  const form = opened();
  await act(() => form.current.submit(() => Promise.reject(refusal(field)))());
  expect(form.current.form.formState.errors.name?.message).toBe(atName);
  expect(form.current.error).toBe(atAll);
});

test.each([
  ['name: at most 63 characters', 'at most 63 characters'],
  ['name：最多 63 个字符', '最多 63 个字符'],
  ['The name is taken.', 'The name is taken.'],
])('at its field, "%s" is told without the name that the API has for it', async (message, shown) => {
  const form = opened();
  const problem = new ApiProblem({ status: 422, code: 1, error: 'invalid_field', message, field: 'name' });
  await act(() => form.current.submit(() => Promise.reject(problem))());
  expect(form.current.form.formState.errors.name?.message).toBe(shown);
});

test('a rule of a group that has no field is told with the whole form, and nothing is sent', async () => {
  const form = opened('At most ten keys.');
  let sent = 0;
  await act(() => form.current.submit(async () => sent++)());
  expect(form.current.error).toBe('At most ten keys.');
  expect(sent).toBe(0);
});

test('an error about a field goes once the field changes, also in a form that was never sent', () => {
  const form = opened();
  act(() => form.current.show(refusal('name')));
  act(() => form.current.form.setValue('gpu.model', 'T4'));
  expect(form.current.form.formState.errors.name?.message).toBe('It is refused.');
  act(() => form.current.form.setValue('name', 'another'));
  expect(form.current.form.formState.errors.name).toBeUndefined();
});
