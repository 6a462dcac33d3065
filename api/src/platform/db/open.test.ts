// Behaviour on both databases: transactions and the meaning of failures.

import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { isTooLong, statementsInTime } from './in-time.ts';
import type { Database } from './open.ts';
import { rowsOf } from './rows-of.ts';
import { accounts } from './schema/people.ts';
import { turns } from './schema/turns.ts';
import { isUniqueViolation } from './sqlstate.ts';
import { Turn, together } from './turn.ts';

const account = (id: string, name = id) => ({ id, name, createdAt: new Date('2026-01-01T00:00:00Z') });

/** Counts how often its work began, and says whether it goes on. */
function worker(database: Database) {
  const clock = new SteppedClock();
  const turn = new Turn({ db: database, clock, log: pino({ level: 'silent' }) }, 'sweeping');
  const worker = { begun: 0, isWorking: false, turn, look: () => clock.step(5000) };
  turn.start(async (signal) => {
    worker.begun++;
    worker.isWorking = true;
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    worker.isWorking = false;
  });
  return worker;
}

test('works of a turn end together: where one fails, none is left beside those that begin anew', async () => {
  let working = 0;
  const patient = async (signal: AbortSignal) => {
    working++;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await Promise.resolve();
    working--;
  };
  const failing = async () => {
    throw new Error('no');
  };
  await expect(together(new AbortController().signal, [patient, failing, patient])).rejects.toThrow('no');
  expect(working).toBe(0);
  const end = new AbortController();
  const ended = together(end.signal, [patient, patient]);
  end.abort();
  await ended;
  expect(working).toBe(0);
});

forEachDatabase((database, name) => {
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

  test('a turn goes on over its renewals, and is given on at a stop', async () => {
    const first = worker(database());
    await eventually('the turn', () => first.isWorking);
    await first.look();
    expect(first.begun).toBe(1);
    await first.turn.stop();
    expect(first.isWorking).toBe(false);
    const second = worker(database());
    await eventually('the turn', () => second.isWorking);
    await second.turn.stop();
  });

  if (name === 'postgres') {
    test('a statement that takes longer than it may is given up, and the connection has no limit afterwards', async () => {
      const { sql: connection } = database();
      const slow = statementsInTime(100, async () => await connection.execute(sql`select pg_sleep(60)`));
      expect(isTooLong(await slow.catch((error: unknown) => error))).toBe(true);
      const quick = () => rowsOf(connection, sql`select current_setting('statement_timeout') as allowed`);
      expect(await statementsInTime(100, quick)).toEqual([{ allowed: '100ms' }]);
      expect(await quick()).toEqual([{ allowed: '0' }]);
    });

    test('the second of two waits until the turn of the first has run out, and the first then stops', async () => {
      const first = worker(database());
      await eventually('the turn', () => first.isWorking);
      const second = worker(database());
      await second.look();
      expect(second.begun).toBe(0);

      await database()
        .sql.update(turns)
        .set({ until: new Date('2026-01-01T00:00:00Z') });
      await eventually('the turn of the second', async () => {
        await second.look();
        return second.isWorking;
      });
      await eventually('the end of the first', async () => {
        await first.look();
        return !first.isWorking;
      });
      await Promise.all([first.turn.stop(), second.turn.stop()]);
    });
  }
});
