// The tables that browsers load in place of the contract's.
import { fileURLToPath } from 'node:url';
import { ADMIN_TABLES } from '@gantry/contract/http/admin-tables.ts';
import { expect, test } from '@jest/globals';
import transformer, { evaluatedTables } from './evaluated-tables.ts';

const file = (path: string) => fileURLToPath(new URL(`../contract/src/http/${path}`, import.meta.url));

test('the build, and tests of pages, have the tables as they are, and import nothing that they follow from', async () => {
  await evaluatedTables.buildStart();
  const code = evaluatedTables.load(file('admin-tables.ts'));
  expect(code).toBe((await transformer.processAsync()).code);
  const text = /^export const ADMIN_TABLES = (\{.*\});$/.exec(code ?? '')?.[1] ?? '';
  expect(JSON.parse(text)).toEqual(ADMIN_TABLES);
});

test('no other module is evaluated', () => {
  expect(evaluatedTables.load(file('admin.ts'))).toBeNull();
});
