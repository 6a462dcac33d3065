// What tasks read of models, and where their results go: as the person who began the run may.
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { and, eq } from 'drizzle-orm';
import type { ListedFile } from '../../core/files/deliver.ts';
import { filesOf } from '../../core/files/files.ts';
import type { Database } from '../../platform/db/open.ts';
import { type ModelMade, models, modelVersions } from '../../platform/db/schema/models.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { digestOfFiles, readVersion } from './deployed.ts';
import type { VersionRow } from './model-views.ts';
import { type Models, ownModel } from './models.ts';
import type { Uploads } from './uploads.ts';

/** Why a run cannot begin: a reason of the kind, with what stands in its sentence. */
interface NotNow {
  reason: 'InputsGone' | 'InputsUnreadable' | 'OutputTaken';
  args: Record<string, string>;
}

interface BaseVersion {
  model: string;
  name: string;
  version: string;
  files: readonly ListedFile[];
  parameters?: number | undefined;
  weightBytes?: number | undefined;
  contextLength?: number | undefined;
}

interface TunedParts {
  db: Database;
  models: Pick<Models, 'create'>;
  uploads: Pick<Uploads, 'beginMade'>;
}

const NOTHING_SAID = { license: null, language: [], tags: [], card: '' };
const REFUSED: Readonly<Record<string, string>> = {
  not_found: 'it does not exist in this organisation',
  model_exists: 'the name is taken',
  too_many_models: 'the organisation has as many as it may have',
};

export class Tuned {
  readonly #parts: TunedParts;

  constructor(parts: TunedParts) {
    this.#parts = parts;
  }

  /** A ready version that can be trained: one whose weights are SafeTensors. */
  async base(
    { organization }: Caller,
    { model, version }: { model: string; version: string },
  ): Promise<BaseVersion | NotNow> {
    const found = await readVersion(this.#parts.db.sql, organization.id, model, version);
    const what = `${model} ${version}`;
    if (found === undefined || found === 'no version') return { reason: 'InputsGone', args: { what } };
    if (found.format !== 'safetensors')
      return { reason: 'InputsUnreadable', args: { detail: `${what} has no weights as SafeTensors` } };
    const { parameters, weightBytes, contextLength } = found;
    return {
      ...{ model, name: found.modelName, version, files: found.files },
      ...{ parameters: parameters ?? undefined, weightBytes: weightBytes ?? undefined },
      contextLength: contextLength ?? undefined,
    };
  }

  /** The model that gets the result; one of that name is made, once for each `key`. */
  async output(
    caller: Caller,
    { model, name = '' }: { model?: string | undefined; name?: string | undefined },
    key: string,
  ): Promise<string | NotNow> {
    const { db, models: all } = this.#parts;
    try {
      const id = model ?? (await all.create(caller, { ...NOTHING_SAID, name }, key));
      if ((await db.sql.$count(models, ownModel(caller, id))) === 0) throw problem('not_found', { what: id });
      return id;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const detail = REFUSED[error.problem] ?? error.message;
      return { reason: 'OutputTaken', args: { model: model ?? name, detail } };
    }
  }

  /** What a run has made; the name of its version. Throws not_found, too_many_models. */
  made: (caller: Caller, model: string, of: { name: string; made: ModelMade }, key: string) => Promise<string> = (
    ...args
  ) => this.#parts.uploads.beginMade(...args);

  /** With the digest that deployments know it by, once it is ready. */
  async version(model: string, name: string): Promise<(VersionRow & { digest: string | null }) | undefined> {
    const { sql: db } = this.#parts.db;
    const [row] = await db
      .select()
      .from(modelVersions)
      .where(and(eq(modelVersions.modelId, model), eq(modelVersions.name, name)));
    if (!row) return undefined;
    const isReady = row.state === 'ready';
    return { ...row, digest: isReady ? digestOfFiles(await filesOf(db, { kind: 'model', id: row.id })) : null };
  }
}
