// The API reference has every call that is not staff's, in pages of a bounded size, with the fields that the call's own schema has.
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { expect, test } from '@jest/globals';
import { ApiReference } from './api-reference.ts';

const reference = new ApiReference();
const AREAS = reference.overview('en').areas.map(({ area }) => area);
const MOST_BYTES = 200_000;

test('each call of customers is in one area, and no call of staff is in any', async () => {
  const areas = await Promise.all(AREAS.map((area) => reference.area(area, 'en')));
  const shown = areas.flatMap(({ calls }) => calls.map(({ id }) => id));
  const customers = Object.values(ROUTES).filter(({ path }) => !path.startsWith('/admin'));
  const ofModels = (await reference.area('v1', 'en')).calls.map(({ id }) => id);
  expect(shown.toSorted()).toEqual([...customers.map(({ id }) => id), ...ofModels].toSorted());
  expect(shown).toContain('createChatCompletion');
  expect(new Set(shown).size).toBe(shown.length);
});

test.each(AREAS)('%s is a page of a bounded size', async (area) => {
  const found = await reference.area(area, 'zh');
  expect(Buffer.byteLength(JSON.stringify(found))).toBeLessThan(MOST_BYTES);
  expect(found.calls.filter(({ summary, path }) => summary === '' || !path.startsWith('/'))).toEqual([]);
});

test('a call has its path, its right, its fields with those within, its answer and its own refusals', async () => {
  const { calls } = await reference.area('instance', 'ja');
  const call = calls.find(({ id }) => id === 'createInstance');
  expect(call).toMatchObject({ method: 'POST', path: '/api/develop/v1/instance', needs: 'right', right: 'use' });
  expect(call?.body?.items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'displayName', type: 'string', is_required: true }),
      expect.objectContaining({ name: 'gpu.model', is_required: true }),
      expect.objectContaining({ name: 'disks[].mountPath', type: 'string' }),
    ]),
  );
  expect(call?.answer).toMatchObject({ status: 201, type: 'application/json' });
  expect(call?.answer.items.map(({ name }) => name)).toContain('result.phase');
  expect(call?.errors).toContainEqual({
    status: 402,
    code: 'not_enough_credit',
    message: expect.stringMatching(/[ぁ-ん]/),
  });
});

test('what any call may answer with is told once', async () => {
  const { errors } = reference.overview('en');
  expect(errors.map(({ code }) => code)).toEqual(expect.arrayContaining(['invalid_field', 'too_many_requests']));
  const late = errors.find(({ code }) => code === 'too_many_requests');
  expect(late?.message).toBe('Too many requests; try again in {seconds} seconds.');
  const { calls } = await reference.area('instance', 'en');
  expect(calls.flatMap(({ errors: own }) => own.map(({ code }) => code))).not.toContain('too_many_requests');
});

test('an area that is none is not found', async () => {
  await expect(reference.area('admin', 'en')).rejects.toMatchObject({ problem: 'not_found' });
  await expect(reference.area('constructor', 'en')).rejects.toMatchObject({ problem: 'not_found' });
});
