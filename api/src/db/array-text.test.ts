// What goes in as an array's text comes out as rows, whatever stands in it.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { memoryDatabase } from '../../../test/support/database.ts';
import { arrayText } from './array-text.ts';
import type { Database } from './open.ts';
import { rowsOf } from './rows-of.ts';

let database: Database;
beforeAll(async () => {
  database = await memoryDatabase();
});
afterAll(() => database.close());

const TEXTS = ['plain', '', 'NULL', 'a "b" \\ c', '{x,y}', ' blanks ', 'line\nbreak', '余额', null];

test('texts of every kind, and none', async () => {
  const rows = await rowsOf<{ value: string | null }>(
    database.sql,
    sql`select value from unnest(${arrayText(TEXTS)}::text[]) as given(value)`,
  );
  expect(rows.map(({ value }) => value)).toEqual(TEXTS);
  expect(await rowsOf(database.sql, sql`select * from unnest(${arrayText([])}::text[])`)).toEqual([]);
});

test('numbers and times beside each other', async () => {
  const at = new Date('2026-11-22T01:02:03.456Z');
  const [row] = await rowsOf<{ amount: string; at: string }>(
    database.sql,
    sql`select amount::text, (extract(epoch from at) * 1000)::bigint::text as at
      from unnest(${arrayText([9_007_199_254_740_993n])}::bigint[], ${arrayText([at])}::timestamptz[]) as given(amount, at)`,
  );
  expect(row).toEqual({ amount: '9007199254740993', at: `${at.getTime()}` });
});
