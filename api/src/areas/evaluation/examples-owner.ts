// Examples of a run as stored files: fetched from its Pod once its worker has ended, as any owner's files arrive.
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import { Gone } from '../../core/files/blobs.ts';
import type { Arrival, OwnerKind } from '../../core/files/owner-kind.ts';
import type { Source } from '../../core/files/source.ts';
import { type TaskFilesParts, taskFiles } from '../../core/tasks/task-files.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { type EvaluationRun, type EvaluationStore, examplesId } from './evaluation-store.ts';

interface Arriving extends Arrival {
  row: EvaluationRun;
}

interface OwnerParts extends TaskFilesParts {
  db: Database;
  runs: EvaluationStore;
}

/** Of the output that has them, and of their file. */
export const EXAMPLES = 'examples';

export class ExamplesOwner implements OwnerKind<Arriving, undefined> {
  readonly kind = 'task';
  readonly #parts: OwnerParts;

  constructor(parts: OwnerParts) {
    this.#parts = parts;
  }

  async waiting(at: Date, { except, most }: { except: readonly string[]; most: number }): Promise<Arriving[]> {
    const rows = await this.#parts.runs.waiting(at, { except: except.map(runOf), most });
    return rows.map((row) => ({
      ...{ kind: 'task' as const, id: examplesId(row), organizationId: row.organizationId, row },
      step: row.state === 'fetching' ? ('fetching' as const) : ('checking' as const),
      ...{ createdAt: row.createdAt, tries: row.tries },
    }));
  }

  async source({ id, row }: Arriving, signal: AbortSignal): Promise<Source> {
    const { outputs, listed, bytes } = taskFiles(
      this.#parts,
      row,
      { pathOf: ({ kind, name }) => (kind === 'output' && name === EXAMPLES ? EXAMPLES : undefined), gone },
      signal,
    );
    const said = { revision: id, license: null, language: [], tags: [] };
    return { plan: async () => ({ ...said, files: listed(await outputs()) }), bytes };
  }

  async planned(tx: Sql, { row }: Arriving): Promise<void> {
    if (!(await this.#parts.runs.becomes(tx, row, { nextTryAt: null }))) throw new Gone();
  }

  fetched({ row }: Arriving): Promise<void> {
    return this.#parts.runs.fetched(row);
  }

  checkList(): void {}

  /** They are read as any table is, when they are kept. */
  async checkFile(): Promise<undefined> {}

  async ready({ row }: Arriving): Promise<(tx: Sql) => Promise<void>> {
    return async (tx) => {
      if (!(await this.#parts.runs.becomes(tx, row, { state: 'kept', tries: 0, nextTryAt: null }))) throw new Gone();
    };
  }

  async failed(tx: Sql, { row }: Arriving, why: Problem): Promise<void> {
    await this.#parts.runs.failed(tx, row, why);
  }

  async delayed({ row }: Arriving, at: Date): Promise<void> {
    await this.#parts.runs.delayed(row, at);
  }

  async worked({ row }: Arriving): Promise<void> {
    await this.#parts.runs.becomes(this.#parts.db.sql, row, { tries: 0 });
  }

  async lost(tx: Sql, { row }: Arriving): Promise<void> {
    await this.#parts.runs.becomes(tx, row, { state: 'fetching' });
  }

  lastWord(): Problem {
    return gone();
  }
}

const gone = (): Problem => problem('task_files_gone');

/** As `examplesId` names it. */
function runOf(id: string): { taskUid: string; run: number } {
  const [taskUid = '', run = ''] = id.split('.');
  return { taskUid, run: Number(run) };
}
