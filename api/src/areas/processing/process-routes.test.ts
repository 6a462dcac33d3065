// What is behind a task is for whoever sees the dataset that it makes.

import type { PROCESSING_ROUTES } from '@gantry/contract/areas/processing/processing.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { DataProcess } from '@gantry/contract/kinds/data-process.ts';
import { UNIT_REASONS } from '@gantry/contract/kinds/data-process-words.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { TaskStore } from '../../core/tasks/task-store.ts';
import { taskUnits } from '../../platform/db/schema/tasks.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Served } from '../../platform/http/serve.ts';
import { processRoutes } from './process-routes.ts';

const callerOf = (organization: string) =>
  ({ organization: { id: organization, namespace: `org-${organization}` } }) as Caller;
const task = { metadata: { name: 'dpr-1', uid: 'uid-1' }, status: { output: { run: 2, dataset: 'dst-1' } } };
const unit = (n: number, state: 'done' | 'failed') => ({
  ...{ work: 'dst-1', unit: `${n}`.padStart(64, '0'), taskUid: 'uid-1', run: 1, part: '', label: `row ${n}`, state },
  ...{ reason: state === 'failed' ? 'AnswerCut' : null, rows: 1, rejected: 0, at: new Date('2026-11-30') },
});

forEachDatabase((database) => {
  let routes: readonly Served[];
  let isSeen: boolean;

  beforeEach(async () => {
    isSeen = true;
    const db = database();
    await db.sql.insert(taskUnits).values([unit(1, 'done'), unit(2, 'failed'), unit(3, 'done')]);
    await db.sql.insert(taskUnits).values({ ...unit(4, 'failed'), taskUid: 'uid-2' });
    const store = new TaskStore({
      db,
      clock: systemClock,
      quotaGi: () => 1,
      blobs: { keepBytes: async () => undefined },
    });
    routes = processRoutes({
      find({ organization }, id) {
        if (organization.id !== 'acme') throw problem('not_found', { what: id });
        return task as unknown as DataProcess;
      },
      downloadsAtOnce: { within: () => Promise.reject(new Error('nothing is downloaded')) } as never,
      kept: {
        store,
        tables: { linesOf: () => Promise.reject(new Error('nothing is read')) as never },
        data: undefined,
        models: { costs: () => undefined, pace: async () => undefined },
        workerPrice: () => ({ perHour: undefined, currency: 'USD' }),
        datasets: {
          input: async () => ({ reason: 'InputsGone', args: {} }),
          async demandSeen(_, id) {
            if (!isSeen) throw problem('not_found', { what: id });
          },
          filesIn: async () => [],
        },
      },
    });
  });

  const answered = (id: keyof typeof PROCESSING_ROUTES, caller: Caller, query: object = {}) => {
    const served = routes.find(({ route }) => route.id === id);
    const asked = { caller, language: 'zh', params: { id: 'dpr-1' }, query: { page: 1, size: 10, ...query } };
    return Promise.resolve().then(() => served?.handler(asked as never));
  };

  test('units of a task are listed with their reasons, all or those of one state', async () => {
    const all = (await answered('listDataProcessUnits', callerOf('acme'))) as { items: object[]; total: number };
    expect(all.total).toBe(3);
    expect(all.items[1]).toMatchObject({ label: 'row 2', state: 'failed', reason: 'AnswerCut', run: 1 });
    expect(all.items[1]).toMatchObject({ reason_label: UNIT_REASONS.AnswerCut.zh });
    expect(all.items[0]).toMatchObject({ reason: null, reason_label: null });
    const failed = await answered('listDataProcessUnits', callerOf('acme'), { state: 'failed' });
    expect(failed).toMatchObject({ items: [{ label: 'row 2' }], total: 1 });
  });

  test('a reason that has no words is the worker’s own, short and without markup', async () => {
    const reason = `<script>a</script> Odd${' '.repeat(9)}thing ${'x'.repeat(400)}`;
    await database()
      .sql.insert(taskUnits)
      .values({ ...unit(5, 'failed'), reason });
    const { items } = (await answered('listDataProcessUnits', callerOf('acme'))) as {
      items: { reason_label: string }[];
    };
    expect(items.at(-1)?.reason_label).toMatch(/^a Odd thing x{288}$/);
  });

  test("another organisation's task does not exist, nor one whose dataset the caller may not see", async () => {
    for (const id of ['listDataProcessUnits', 'downloadDataProcessRejected'] as const) {
      await expect(answered(id, callerOf('other'))).rejects.toMatchObject({ problem: 'not_found' });
      isSeen = false;
      await expect(answered(id, callerOf('acme'))).rejects.toMatchObject({ problem: 'not_found' });
      isSeen = true;
    }
  });

  test('before a version is there, nothing was rejected', async () => {
    const rejected = answered('downloadDataProcessRejected', callerOf('acme'));
    await expect(rejected).rejects.toMatchObject({ problem: 'not_found' });
  });
});
