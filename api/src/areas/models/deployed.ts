// The files that a deployment serves: those of a version and of its adapters, with the digest of their list, and how they fit onto the
// cards there are. A deployment names models as its organisation sees them: its own, and those of the library.
import { createHash } from 'node:crypto';
import type { ModelDeployment, ModelDeploymentReason } from '@gantry/contract/kinds/model-deployment.ts';
import type { ModelDeploymentStatus } from '@gantry/contract/kinds/model-deployment-schema.ts';
import { type Chosen, chooseSetup, type Place } from '@gantry/contract/models/choose-setup.ts';
import { adapterFolder, type Engine, MODEL_FOLDER, MODELS_ROOT } from '@gantry/contract/models/engines.ts';
import type { Args } from '@gantry/contract/said.ts';
import { and, eq, isNotNull, or } from 'drizzle-orm';
import { filesOf } from '../../core/files/files.ts';
import type { Sql } from '../../platform/db/open.ts';
import { models, modelVersions } from '../../platform/db/schema/models.ts';

/** A file as the container that takes it in knows it; the order of the members is part of the list's digest. */
export interface ListedFile {
  path: string;
  sha256: string;
  bytes: number;
}

type Weights = NonNullable<ModelDeploymentStatus['weights']>;
type Version = Pick<
  typeof modelVersions.$inferSelect,
  'id' | 'format' | 'weightBytes' | 'kvBytesPerToken' | 'contextLength' | 'attentionHeads'
> & { modelName: string; files: readonly ListedFile[] };
export type Refused = { reason: ModelDeploymentReason; args: Args };
export interface Found {
  weights: Weights;
  version: Version;
  /** The base's, then the adapters'. */
  versionIds: readonly string[];
  list: readonly ListedFile[];
}

/** As it is sent, and as its digest is taken. */
export const listText = (list: readonly ListedFile[]): string =>
  JSON.stringify(list.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const below = (folder: string): string => folder.slice(MODELS_ROOT.length + 1);
/** For a split file, the engine finds the others by the first. */
const entryIn = (files: readonly ListedFile[]): string | undefined =>
  files.map(({ path }) => path).find((path) => path.toLowerCase().endsWith('.gguf'));

/** `organizationId` is the deployment's. */
export async function findWeights(
  db: Sql,
  organizationId: string,
  { model, version, adapters = [] }: Pick<ModelDeployment['spec'], 'model' | 'version' | 'adapters'>,
): Promise<Found | Refused> {
  const base = await readVersion(db, organizationId, model, version);
  if (base === undefined) return { reason: 'ModelNotFound', args: { id: model } };
  if (base === 'no version') return { reason: 'VersionNotFound', args: { id: model, version } };
  const list = placed(base.files, MODEL_FOLDER);
  const entries: Record<string, string> = {};
  const versionIds = [base.id];
  for (const adapter of adapters) {
    const found = await readVersion(db, organizationId, adapter.model, adapter.version);
    if (typeof found !== 'object')
      return {
        reason: 'AdapterNotFound',
        args: { adapter: adapter.name, id: adapter.model, version: adapter.version },
      };
    versionIds.push(found.id);
    list.push(...placed(found.files, adapterFolder(adapter.name)));
    const entry = entryIn(found.files);
    if (entry !== undefined) entries[adapter.name] = entry;
  }
  const entry = entryIn(base.files);
  const weights: Weights = {
    model,
    version,
    name: base.modelName,
    digest: sha256(listText(list)),
    files: list.length,
    sizeBytes: list.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(base.format && { format: base.format }),
    ...(entry !== undefined && { entry }),
    ...(Object.keys(entries).length > 0 && { adapterEntries: entries }),
  };
  return { weights, version: base, versionIds, list };
}

/** The digest of the list that a deployment of these files alone takes in. */
export const digestOfFiles = (files: readonly { path: string; digest: string | null; sizeBytes: number }[]): string => {
  const listed = files.map(({ path, digest, sizeBytes }) => ({ path, sha256: digest ?? '', bytes: sizeBytes }));
  return sha256(listText(placed(listed, MODEL_FOLDER)));
};

const placed = (files: readonly ListedFile[], folder: string): ListedFile[] =>
  files.map(({ path, ...file }) => ({ path: `${below(folder)}/${path}`, ...file }));

async function readVersion(
  db: Sql,
  organizationId: string,
  id: string,
  name: string,
): Promise<Version | 'no version' | undefined> {
  const [model] = await db
    .select({ name: models.name })
    .from(models)
    .where(and(eq(models.id, id), or(eq(models.organizationId, organizationId), isNotNull(models.shelvedAt))));
  if (!model) return undefined;
  const [version] = await db
    .select()
    .from(modelVersions)
    .where(and(eq(modelVersions.modelId, id), eq(modelVersions.name, name), eq(modelVersions.state, 'ready')));
  if (!version) return 'no version';
  const files = await filesOf(db, { kind: 'model', id: version.id });
  return {
    ...version,
    modelName: model.name,
    files: files.map(({ path, digest, sizeBytes }) => ({ path, sha256: digest ?? '', bytes: sizeBytes })),
  };
}

/** The part of a spec that a setup is chosen for: while it is the same, another number of replicas or other free cards change nothing. */
export const wishOf = ({ spec }: Pick<ModelDeployment, 'spec'>, digest: string): string => {
  const { task, engine, setup, gpu, cores, memoryGi, contextLength, tensorParallel, memoryFraction, host } = spec;
  const sizes = [gpu?.model, gpu?.count, cores, memoryGi, contextLength, tensorParallel, memoryFraction, host];
  // Only where it is set: what was chosen before there was such a wish stays.
  const spread = spec.nodesPerReplica === undefined ? [] : [spec.nodesPerReplica];
  const tag = spec.hostTag === undefined ? [] : [{ hostTag: spec.hostTag }];
  const labels = spec.nodeLabels && [Object.entries(spec.nodeLabels).toSorted(([a], [b]) => (a < b ? -1 : 1))];
  return sha256(
    JSON.stringify([
      digest,
      task,
      engine,
      setup,
      ...sizes.map((size) => size ?? null),
      ...spread,
      ...tag,
      ...(labels ?? []),
    ]),
  );
};

export function setupFor(
  spec: ModelDeployment['spec'],
  { version, weights }: Found,
  places: readonly Place[],
  onGpus: readonly Engine[],
): { setup: Chosen } | Refused {
  const { format, weightBytes, kvBytesPerToken, contextLength, attentionHeads, files } = version;
  const sizeBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return chooseSetup(
    spec,
    {
      format: format ?? 'other',
      sizeBytes,
      adapterBytes: weights.sizeBytes - sizeBytes,
      weightBytes: weightBytes ?? undefined,
      kvTokenBytes: kvBytesPerToken ?? undefined,
      contextLength: contextLength ?? undefined,
      attentionHeads: attentionHeads ?? undefined,
    },
    places,
    onGpus,
  );
}
