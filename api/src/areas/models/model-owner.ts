// Versions of models as owners of files: where they come from, what is checked, and what is known of them afterwards.
import { buffer } from 'node:stream/consumers';
import { plainLines } from '@gantry/contract/fields/plain-text.ts';
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import { and, asc, eq, getTableColumns, inArray, isNull, lte, notInArray, or, sql } from 'drizzle-orm';
import { Gone } from '../../core/files/blobs.ts';
import type { FileRow } from '../../core/files/files.ts';
import { haveArrived } from '../../core/files/files.ts';
import type { Arrival, OwnerKind } from '../../core/files/owner-kind.ts';
import type { Source, SourcePlan } from '../../core/files/source.ts';
import { diskSource } from '../../core/files/sources/disk-source.ts';
import type { Disks } from '../../core/files/sources/disks.ts';
import type { Hub } from '../../core/files/sources/hub.ts';
import { lastWordOf } from '../../core/files/sources/last-word.ts';
import { offered } from '../../core/files/sources/offered.ts';
import { HUB_TOKEN, type SealedCredentials } from '../../core/files/sources/sealed-credentials.ts';
import type { StoredBlobs } from '../../core/files/stored-blobs.ts';
import { type Source as LineageSource, recordMade, recordMadeBy, runNode } from '../../core/lineage/lineage-rows.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { datasetVersions } from '../../platform/db/schema/datasets.ts';
import { type ModelMade, models, modelVersions } from '../../platform/db/schema/models.ts';
import { parseJson } from '../../platform/json-size.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { readHeader } from './check-file.ts';
import { MODEL_TAKING } from './model-taking.ts';
import type { VersionRow } from './model-views.ts';
import { templateHash } from './template-hash.ts';
import { licenseOf, missingShard, type ReadFile, versionFacts } from './version-facts.ts';
import { versionNode } from './version-lineage.ts';

export interface ModelOwnerParts {
  db: Database;
  clock: { now(): number };
  store: ObjectStore;
  blobs: Pick<StoredBlobs, 'read'>;
  hub: Hub | undefined;
  disks: Disks;
  credentials: Pick<SealedCredentials, 'read'>;
  /** What tasks have made, still in their Pods or kept as a checkpoint. Absent: no task runs here. */
  made?: ((made: ModelMade, signal: AbortSignal) => Promise<Source>) | undefined;
}

interface ArrivingVersion extends Arrival {
  version: VersionRow;
}

const MOST_CONFIG = 1024 * 1024;
const MOST_VALUES = 100_000;
const card = plainLines(100_000);

export class ModelOwner implements OwnerKind<ArrivingVersion, ReadFile> {
  readonly kind = 'model';
  readonly #parts: ModelOwnerParts;

  constructor(parts: ModelOwnerParts) {
    this.#parts = parts;
  }

  /** One of an organisation at a time, so that many slow ones keep nobody else waiting. */
  async waiting(at: Date, { except, most }: { except: readonly string[]; most: number }): Promise<ArrivingVersion[]> {
    const { sql: db } = this.#parts.db;
    const ofThese = db
      .select({ id: models.organizationId })
      .from(modelVersions)
      .innerJoin(models, eq(models.id, modelVersions.modelId))
      .where(inArray(modelVersions.id, [...except]));
    const first = db
      .selectDistinctOn([models.organizationId], {
        organizationId: models.organizationId,
        versionId: modelVersions.id,
        createdAt: modelVersions.createdAt,
      })
      .from(modelVersions)
      .innerJoin(models, eq(models.id, modelVersions.modelId))
      .where(
        and(
          inArray(modelVersions.state, ['importing', 'checking']),
          or(isNull(modelVersions.nextTryAt), lte(modelVersions.nextTryAt, at)),
          ...(except.length > 0 ? [notInArray(models.organizationId, ofThese)] : []),
        ),
      )
      .orderBy(models.organizationId, asc(modelVersions.createdAt))
      .as('first');
    const rows = await db
      .select({ organizationId: first.organizationId, version: getTableColumns(modelVersions) })
      .from(first)
      .innerJoin(modelVersions, eq(modelVersions.id, first.versionId))
      .orderBy(asc(first.createdAt))
      .limit(most);
    return rows.map(({ organizationId, version }) => ({
      ...{ kind: 'model', id: version.id, organizationId, version },
      step: version.state === 'importing' ? 'fetching' : 'checking',
      ...{ createdAt: version.createdAt, tries: version.tries },
    }));
  }

  async source({ version, organizationId }: ArrivingVersion, signal: AbortSignal): Promise<Source> {
    const { db, hub, disks, credentials, made: openMade } = this.#parts;
    const { source, repository, revision, include, creatorId, made } = version;
    if (source === 'task') {
      if (!made || !openMade) throw problem('task_files_gone');
      return openMade(made, signal);
    }
    if (repository === null || revision === null) throw problem('model_hub_off');
    const asked = { include, taking: MODEL_TAKING, signal };
    if (source === 'disk') {
      const of = { creatorId, organizationId, disk: repository, folder: revision };
      return diskSource({ db, disks }, { ...asked, ...of });
    }
    if (!hub) throw problem('model_hub_off');
    const token = await credentials.read(organizationId, HUB_TOKEN);
    return hub.source({ ...asked, of: 'models', repository, revision, token });
  }

  async planned(
    tx: Sql,
    { id, version }: ArrivingVersion,
    { revision, license, language, tags }: SourcePlan,
  ): Promise<void> {
    // What a task has made has its revision from its beginning.
    const known = version.source === 'task' ? version.revision : revision;
    const [still] = await tx.update(modelVersions).set({ revision: known }).where(eq(modelVersions.id, id)).returning();
    if (!still) throw new Gone();
    await tx.update(models).set(offered({ license, language, tags }, models)).where(eq(models.id, version.modelId));
  }

  async fetched({ id }: ArrivingVersion): Promise<void> {
    await toChecking(this.#parts.db.sql, id, 'importing');
  }

  checkList(listed: readonly FileRow[]): void {
    const missing = missingShard(listed.map(({ path }) => path));
    if (missing !== undefined) throw problem('model_shard_missing', { path: missing });
  }

  async checkFile({ organizationId }: ArrivingVersion, file: FileRow, keyOf: () => Promise<string>): Promise<ReadFile> {
    return readHeader(this.#parts.store, await keyOf(), file, organizationId);
  }

  async ready(
    { id, version }: ArrivingVersion,
    kept: readonly FileRow[],
    read: readonly ReadFile[],
  ): Promise<(tx: Sql) => Promise<void>> {
    const { blobs, clock } = this.#parts;
    const text = async (path: string) => {
      const file = kept.find((each) => each.path === path);
      if (!file?.digest || file.sizeBytes > MOST_CONFIG) return undefined;
      return (await buffer(await blobs.read(file.digest))).toString('utf8');
    };
    const facts = {
      ...versionFacts([...read], jsonOf(await text('config.json'))),
      templateHash: templateHash(await text('chat_template.jinja'), jsonOf(await text('tokenizer_config.json'))),
    };
    const readme = cardOf(await text('README.md'));
    const now = new Date(clock.now());
    return async (tx) => {
      const [still] = await tx
        .update(modelVersions)
        .set({ ...facts, state: 'ready', readyAt: now, tries: 0, nextTryAt: null })
        .where(eq(modelVersions.id, id))
        .returning({ id: modelVersions.id });
      if (!still) throw new Gone();
      const [model] = await tx
        .update(models)
        .set({
          updatedAt: now,
          card: sql`case when ${models.card} = '' then ${readme} else ${models.card} end`,
          license: sql`coalesce(${models.license}, ${licenseOf([...read])})`,
        })
        .where(eq(models.id, version.modelId))
        .returning({ id: models.id, organizationId: models.organizationId, name: models.name });
      if (!model) throw new Gone();
      const node = versionNode(model, version, kept);
      const { made } = version;
      if (!made) await recordMade(tx, node, { from: [], at: now });
      else {
        const run = runNode('finetune', { organizationId: model.organizationId, ...made });
        await recordMadeBy(tx, run, node, { from: await sourcesOf(tx, made), at: now });
      }
    };
  }

  async failed(tx: Sql, { id }: ArrivingVersion, { problem: code, args }: Problem): Promise<void> {
    await tx
      .update(modelVersions)
      .set({ state: 'failed', problem: code, problemArgs: args, nextTryAt: null })
      .where(eq(modelVersions.id, id));
  }

  async delayed({ id }: ArrivingVersion, at: Date): Promise<void> {
    await this.#parts.db.sql
      .update(modelVersions)
      .set({ tries: sql`${modelVersions.tries} + 1`, nextTryAt: at })
      .where(eq(modelVersions.id, id));
  }

  async worked({ id }: ArrivingVersion): Promise<void> {
    await this.#parts.db.sql.update(modelVersions).set({ tries: 0 }).where(eq(modelVersions.id, id));
  }

  async lost(tx: Sql, { id, version }: ArrivingVersion): Promise<void> {
    const state = version.source === 'upload' ? 'uploading' : 'importing';
    await tx.update(modelVersions).set({ state }).where(eq(modelVersions.id, id));
  }

  lastWord({ version: { source, repository } }: ArrivingVersion, error: unknown): Problem {
    if (source === 'task') return problem('task_files_gone');
    return lastWordOf({ source: source === 'disk' ? 'disk' : 'hub', what: repository ?? '' }, error);
  }
}

/** What the lineage has of what it was made of. */
async function sourcesOf(tx: Sql, { from: { base, datasets } }: ModelMade): Promise<LineageSource[]> {
  const bases = await tx
    .select({ uid: modelVersions.id })
    .from(modelVersions)
    .where(and(eq(modelVersions.modelId, base.model), eq(modelVersions.name, base.version)));
  const isOne = datasets.map(({ dataset, version }) =>
    and(eq(datasetVersions.datasetId, dataset), eq(datasetVersions.number, version)),
  );
  const read = await tx
    .select({ uid: datasetVersions.id })
    .from(datasetVersions)
    .where(or(sql`false`, ...isOne));
  return [
    ...bases.map(({ uid }) => ({ kind: 'model' as const, uid })),
    ...read.map(({ uid }) => ({ kind: 'dataset' as const, uid })),
  ];
}

/** True if all of its files are there. */
export async function toChecking(db: Sql, versionId: string, from: 'uploading' | 'importing'): Promise<boolean> {
  const moved = await db
    .update(modelVersions)
    .set({ state: 'checking', tries: 0, nextTryAt: null })
    .where(
      and(
        eq(modelVersions.id, versionId),
        eq(modelVersions.state, from),
        haveArrived({ kind: 'model', id: versionId }),
      ),
    )
    .returning({ id: modelVersions.id });
  return moved.length > 0;
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parseJson(text, MOST_VALUES);
  } catch {
    return undefined;
  }
}

/** Without the facts for machines at its top; nothing if it is no text that people could write here. */
function cardOf(text: string | undefined): string {
  const body = text?.replace(/^---\r?\n[\s\S]*?\n---\r?\n/, '').trim() ?? '';
  return card.safeParse(body).data ?? '';
}
