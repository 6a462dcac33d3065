// What holds on both databases: transactions and what a failure says.
import { expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../test/support/database.ts';
import { accounts } from './schema/people.ts';
import { isUniqueViolation } from './sqlstate.ts';

const account = (id: string, name = id) => ({ id, name, createdAt: new Date('2026-01-01T00:00:00Z') });

forEachDatabase((database) => {
  test('a row comes back as it went in', async () => {
    await database().sql.insert(accounts).values(account('acc-1', 'Ann'));
    expect(await database().sql.select().from(accounts)).toEqual([
      expect.objectContaining({ id: 'acc-1', name: 'Ann', email: null, createdAt: new Date('2026-01-01T00:00:00Z') }),
    ]);
  });

  test('each test begins empty', async () => {
    expect(await database().sql.select().from(accounts)).toEqual([]);
  });

  test('a transaction that fails leaves nothing', async () => {
    const failing = database().transaction(async (tx) => {
      await tx.insert(accounts).values(account('acc-1'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await database().sql.select().from(accounts)).toEqual([]);
  });

  test('a statement past the transaction it is in is refused', async () => {
    const failing = database().transaction(() => database().sql.select().from(accounts));
    await expect(failing).rejects.toMatchObject({
      cause: { message: expect.stringContaining('past the transaction') },
    });
    await expect(database().transaction(() => database().transaction(async () => 1))).rejects.toThrow(
      'past the transaction',
    );
  });

  test('a name that is taken says which rule it broke', async () => {
    await database().sql.insert(accounts).values(account('acc-1', 'Ann'));
    const failure = await database()
      .sql.insert(accounts)
      .values(account('acc-2', 'ann'))
      .catch((error: unknown) => error);
    expect(isUniqueViolation(failure)).toBe(true);
    expect(isUniqueViolation(failure, 'accounts_name')).toBe(true);
    expect(isUniqueViolation(failure, 'accounts_email')).toBe(false);
    expect(isUniqueViolation(new Error('duplicate'))).toBe(false);
  });
});
