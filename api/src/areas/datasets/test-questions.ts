// The test set of a dataset: seen by whoever sees the dataset, written by whoever may change it.
import { DATASET_QUESTION_ROUTES as R, type TestQuestion } from '@gantry/contract/areas/datasets/questions.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { eq } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { datasetQuestions, datasets } from '../../platform/db/schema/datasets.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import { lockDataset, seenDataset } from './dataset-rows.ts';

export class TestQuestions {
  readonly #db: Database;

  constructor({ db }: { db: Database }) {
    this.#db = db;
  }

  /** Throws not_found. */
  async get(caller: Caller, id: string): Promise<readonly TestQuestion[]> {
    const [row] = await this.#db.sql
      .select({ questions: datasetQuestions.questions })
      .from(datasets)
      .leftJoin(datasetQuestions, eq(datasetQuestions.datasetId, datasets.id))
      .where(seenDataset(caller, id));
    if (!row) throw problem('not_found', { what: id });
    return row.questions ?? [];
  }

  /** Throws not_found. */
  async set(caller: Caller, id: string, questions: readonly TestQuestion[]): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await lockDataset(tx, caller, id);
      await tx
        .insert(datasetQuestions)
        .values({ datasetId: id, questions })
        .onConflictDoUpdate({ target: datasetQuestions.datasetId, set: { questions } });
    });
  }
}

export const testQuestionRoutes = (tests: TestQuestions): Served[] => [
  serve(R.getTestQuestions, async ({ caller, params }) => ({ questions: [...(await tests.get(caller, params.id))] })),
  serve(R.setTestQuestions, async ({ caller, params, body: { questions }, audit }) => {
    audit.object = `Dataset/${params.id}`;
    await tests.set(caller, params.id, questions);
    return { questions };
  }),
];
