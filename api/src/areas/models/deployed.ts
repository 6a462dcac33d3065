// The files that a deployment serves: those of a version and of its adapters, with the digest of their list, and how they fit onto the
// cards there are. A deployment names models as its organisation sees them: its own, and those of the library.
import { createHash } from 'node:crypto';
import type { ModelDeployment, ModelDeploymentReason } from '@gantry/contract/kinds/model-deployment.ts';
import type { ModelDeploymentStatus } from '@gantry/contract/kinds/model-deployment-schema.ts';
import {
  type Chosen,
  chooseSetup,
  type Place,
  type ServedFacts,
  SMALL_BYTES,
} from '@gantry/contract/models/choose-setup.ts';
import { adapterFolder, type Engine, MODEL_FOLDER, MODELS_ROOT } from '@gantry/contract/models/engines.ts';
import type { Args } from '@gantry/contract/said.ts';
import { and, eq, isNotNull, or } from 'drizzle-orm';
import { type ListedFile, listText } from '../../core/files/deliver.ts';
import { filesOf } from '../../core/files/files.ts';
import type { Sql } from '../../platform/db/open.ts';
import { models, modelVersions } from '../../platform/db/schema/models.ts';
import { wholeOf } from './version-facts.ts';

type Weights = NonNullable<ModelDeploymentStatus['weights']>;
export type Version = Pick<
  typeof modelVersions.$inferSelect,
  | 'id'
  | 'format'
  | 'parameters'
  | 'weightBytes'
  | 'kvBytesPerToken'
  | 'contextLength'
  | 'attentionHeads'
  | 'made'
  | 'templateHash'
  | 'quantisation'
> & { modelName: string; files: readonly ListedFile[] };
export type Refused = { reason: ModelDeploymentReason; args: Args };
export interface Found {
  weights: Weights;
  version: Version;
  adapters: readonly Version[];
  /** The base's, then the adapters'. */
  versionIds: readonly string[];
  list: readonly ListedFile[];
}

/** To engines: what was trained with one chat template answers worse with another one. */
const GIVES_TEMPLATE = /^--(chat[-_]template([-_]file)?|no[-_]jinja)(=|$)/;
const MOST_SHOWN = 64;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const below = (folder: string): string => folder.slice(MODELS_ROOT.length + 1);
/** For a split file, the engine finds the others by the first. */
const entryIn = (files: readonly ListedFile[]): string | undefined =>
  files.map(({ path }) => path).find((path) => path.toLowerCase().endsWith('.gguf'));

/** `organizationId` is the deployment's. */
export async function findWeights(
  db: Sql,
  organizationId: string,
  spec: Pick<ModelDeployment['spec'], 'model' | 'version' | 'adapters' | 'extraArgs'>,
): Promise<Found | Refused> {
  const { model, version, adapters = [] } = spec;
  const base = await readVersion(db, organizationId, model, version);
  if (base === undefined) return { reason: 'ModelNotFound', args: { id: model } };
  if (base === 'no version') return { reason: 'VersionNotFound', args: { id: model, version } };
  const given = (spec.extraArgs ?? []).find((argument) => GIVES_TEMPLATE.test(argument));
  if (given !== undefined && base.made !== null)
    return { reason: 'TemplateGiven', args: { argument: given.slice(0, MOST_SHOWN), model: base.modelName, version } };
  const list = placed(base.files, MODEL_FOLDER);
  const entries: Record<string, string> = {};
  const beside: Version[] = [];
  for (const adapter of adapters) {
    const found = await readVersion(db, organizationId, adapter.model, adapter.version);
    if (typeof found !== 'object')
      return {
        reason: 'AdapterNotFound',
        args: { adapter: adapter.name, id: adapter.model, version: adapter.version },
      };
    if (base.templateHash !== null && found.templateHash !== null && base.templateHash !== found.templateHash)
      return { reason: 'TemplateDiffers', args: { adapter: adapter.name, model: base.modelName, version } };
    beside.push(found);
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
    sizeBytes: sizeOf(list),
    ...(base.format && { format: base.format }),
    ...(entry !== undefined && { entry }),
    ...(Object.keys(entries).length > 0 && { adapterEntries: entries }),
  };
  const versionIds = [base, ...beside].map(({ id }) => id);
  return { weights, version: base, adapters: beside, versionIds, list };
}

/** The digest of the list that a deployment of these files alone takes in. */
export const digestOfFiles = (files: readonly { path: string; digest: string | null; sizeBytes: number }[]): string => {
  const listed = files.map(({ path, digest, sizeBytes }) => ({ path, sha256: digest ?? '', bytes: sizeBytes }));
  return sha256(listText(placed(listed, MODEL_FOLDER)));
};

/** The same of a version. */
export const digestOfVersion = ({ files }: Pick<Version, 'files'>): string =>
  sha256(listText(placed(files, MODEL_FOLDER)));

const placed = (files: readonly ListedFile[], folder: string): ListedFile[] =>
  files.map(({ path, ...file }) => ({ path: `${below(folder)}/${path}`, ...file }));

/** Of a model that the organisation sees; undefined where there is none, 'no version' where none of that name is ready. */
export async function readVersion(
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

/**
 * A version with SafeTensors and, besides, the same model as GGUF is served as SafeTensors; as GGUF where an engine is wished for that reads it,
 * where it is small enough to need no card and none is wished for, and where there are no cards.
 */
export function setupFor(
  spec: ModelDeployment['spec'],
  { version, weights }: Found,
  places: readonly Place[],
  onGpus: readonly Engine[],
): { setup: Chosen } | Refused {
  const { format, weightBytes, kvBytesPerToken, contextLength, attentionHeads, files } = version;
  const sizeBytes = sizeOf(files);
  const facts: ServedFacts = {
    format: format ?? 'other',
    sizeBytes,
    adapterBytes: weights.sizeBytes - sizeBytes,
    weightBytes: weightBytes ?? undefined,
    kvTokenBytes: kvBytesPerToken ?? undefined,
    contextLength: contextLength ?? undefined,
    attentionHeads: attentionHeads ?? undefined,
  };
  const usual = chooseSetup(spec, facts, places, onGpus);
  const { entry, adapterEntries = {} } = weights;
  const isEither = entry !== undefined && spec.adapters?.every(({ name }) => name in adapterEntries) !== false;
  if (facts.format === 'gguf' || !isEither) return usual;
  const ggufBytes = sizeOf(files.filter(({ path }) => wholeOf(path) === wholeOf(entry)));
  const isEnough = spec.engine === 'auto' && spec.gpu === undefined && ggufBytes <= SMALL_BYTES;
  if ('setup' in usual && !isEnough) return usual;
  const other = chooseSetup(
    spec,
    { ...facts, format: 'gguf', sizeBytes: ggufBytes, weightBytes: ggufBytes },
    places,
    onGpus,
  );
  return 'setup' in other ? other : usual;
}

const sizeOf = (files: readonly ListedFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
