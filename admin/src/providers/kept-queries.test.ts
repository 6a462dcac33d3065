// Saved queries are the person's, in every browser.
import type { Preferences } from '@gantry/contract/areas/admin/admin-home.ts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { memoryStore, type Store } from 'react-admin';
import { keptQueries, readPreferences } from './kept-queries.ts';

const KEY = 'manage/user/users.savedQueries';
const query = (label: string) => ({ label, value: { filter: {} } });

let local: Store;
let saved: unknown[];
const failed: string[] = [];
beforeEach(() => {
  jest.useFakeTimers();
  local = memoryStore();
  local.setup();
  saved = [];
  failed.length = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

const open = (preferences: Preferences, save = async (body: unknown): Promise<unknown> => saved.push(body)) =>
  keptQueries(local, { preferences, save, onFailed: ({ message }) => failed.push(message) });

test('what the server has comes before what this browser had', () => {
  local.setItem(KEY, [query('of this browser')]);
  const store = open({ saved_queries: { users: [query('mine')] } });
  expect(store.getItem(KEY)).toEqual([query('mine')]);
});

test('changes are written once things are quiet, and queries of other lists stay', async () => {
  const store = open({ saved_queries: { invoices: [query('unpaid')] } });
  store.setItem(KEY, [query('a')]);
  store.setItem(KEY, [query('a'), query('b')]);
  store.setItem('sidebar.open', false);
  expect(saved).toEqual([]);
  await jest.advanceTimersByTimeAsync(500);
  expect(saved).toEqual([{ saved_queries: { invoices: [query('unpaid')], users: [query('a'), query('b')] } }]);
  expect(store.getItem('sidebar.open')).toBe(false);
});

test('a refusal is told, and the query stays here', async () => {
  const store = open({ saved_queries: {} }, () => Promise.reject(new Error('Too many.')));
  store.setItem(KEY, [query('a')]);
  await jest.advanceTimersByTimeAsync(500);
  expect([failed, store.getItem(KEY)]).toEqual([['Too many.'], [query('a')]]);
});

test('where the server does not say, nothing is known of them', async () => {
  expect(await readPreferences({ ask: () => Promise.reject(new Error('away')) })).toBeNull();
});
