// Proofs that run in the background, and end with their gateway.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { eventually } from '../../../../../test/support/eventually.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { Proofs } from './proofs.ts';

forEachDatabase((database) => {
  const open = () => new Proofs({ db: database(), clock: new SteppedClock() });
  const states = async (proofs: Proofs) =>
    (await proofs.rows({ sort: ['id', 'ASC'], range: [0, 9], filter: {} })).items.map(({ state }) => state);

  test('a gateway that stops breaks off its proof, also within a statement, and another can begin', async () => {
    const proofs = open();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The checks wait for this table.
    const holding = database().transaction(async (tx) => {
      await tx.execute(sql`lock table postings in access exclusive mode`);
      await released;
    });
    try {
      await proofs.start('acc-ann', 'end of the month');
      await eventually('a check that waits', async () => {
        const waiting = await rowsOf(
          database().sql,
          sql`select from pg_locks where not granted and locktype = 'relation'`,
        );
        return waiting.length > 0;
      });
      await proofs.stop();
      expect(await states(proofs)).toEqual(['broken']);
    } finally {
      release();
      await holding;
    }
    const next = open();
    await next.start('acc-ann', 'once more');
    await next.settled();
    expect((await states(next)).toSorted()).toEqual(['broken', 'held']);
  });
});
