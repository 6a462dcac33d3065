// Deployments of models, as this room sees them: it says which files one serves and how they fit, and brings the files to its
// replicas. One gateway at a time does so; both may be done twice.

import type { DeploymentFitView } from '@gantry/contract/areas/models/models.ts';
import type { Use } from '@gantry/contract/billing/resources.ts';
import type { Condition } from '@gantry/contract/define-kind.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { ModelSetup } from '@gantry/contract/kinds/model-deployment-schema.ts';
import { localized } from '@gantry/contract/localized.ts';
import {
  arithmeticOf,
  type Chosen,
  type Place,
  reservedIn,
  type SetupAnswer,
} from '@gantry/contract/models/choose-setup.ts';
import { type EngineImages, imageOf, onGpusToo } from '@gantry/contract/models/engine-images.ts';
import { ENGINE_FACTS, type Engine } from '@gantry/contract/models/engines.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { nextCondition, rfc3339 } from '@gantry/contract/next-condition.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { deliver, type Receiver } from '../../core/files/deliver.ts';
import type { StoredBlobs } from '../../core/files/stored-blobs.ts';
import type { Database } from '../../platform/db/open.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { digestOfVersion, type Found, findWeights, type Refused, setupFor, wishOf } from './deployed.ts';
import { DeploymentLineage } from './deployment-lineage.ts';
import { Filling, type FillingCluster } from './filling.ts';
import { closedGate, type GateScores } from './gate.ts';

/** A Pod that may wait for files. */
export interface WaitingPod {
  name: string;
  ip: string;
}

export interface DeploymentsParts {
  db: Database;
  clock: Clock;
  blobs: StoredBlobs | undefined;
  cluster: FillingCluster & {
    list(): readonly ModelDeployment[];
    /** With the resourceVersion of the object: it is refused where somebody has changed it. */
    write(object: ModelDeployment, status: object): Promise<void>;
    places(object: ModelDeployment): readonly Place[];
    /** Whether there is what spreads a replica over nodes. */
    hasGroups(): Promise<boolean>;
    /** Replicas first, then what fills a node. */
    waiting(object: ModelDeployment): readonly WaitingPod[];
    receiver(object: ModelDeployment, pod: WaitingPod): Receiver;
  };
  /** The scores of an evaluation of that name; undefined until it has some. */
  scoresOf(organizationId: string, evaluation: string): Promise<GateScores | undefined>;
  /** Images in place of the release's. */
  engineImages: EngineImages;
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
}

const EVERY_MS = 1_000;
/** A missing model may come; cards may become free. */
const ASK_AGAIN_MS = 15_000;
const DELIVERIES_AT_ONCE = 4;
/** The pause after a delivery that failed: its Pod may not listen yet. */
const TRY_AGAIN_MS = 2_000;
const TYPE = 'SetupChosen';

export class Deployments {
  readonly #parts: DeploymentsParts;
  /** By uid: when it was refused, and in which generation. */
  readonly #refused = new Map<string, { generation: number; at: number }>();
  /** By Pod. */
  readonly #under = new Set<string>();
  readonly #failed = new Map<string, number>();

  constructor(parts: DeploymentsParts) {
    this.#parts = parts;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { db, clock, cluster, log } = this.#parts;
    const filling = new Filling({ cluster, clock, log });
    const lineage = new DeploymentLineage({ db, clock, log });
    const going = new Set<Promise<void>>();
    while (!signal.aborted) {
      for (const object of cluster.list()) {
        if (signal.aborted) break;
        if (object.metadata.deletionTimestamp !== undefined) continue;
        const about = { deployment: `${object.metadata.namespace}/${object.metadata.name}` };
        await this.answer(object).catch((error: unknown) =>
          log.warn({ err: error, ...about }, 'how a deployment is served was not written'),
        );
        for (const pod of this.#due(object)) {
          const one = this.#deliver(object, pod, signal).finally(() => going.delete(one));
          going.add(one);
        }
      }
      await lineage
        .look(cluster.list())
        .catch((error: unknown) => log.warn({ err: error }, 'the lineage of deployments was not read'));
      await filling
        .step(cluster.list())
        .catch((error: unknown) => log.warn({ err: error }, 'which nodes are filled with models was not decided'));
      await pause(clock, EVERY_MS, signal);
    }
    await Promise.allSettled(going);
  }

  /** Writes what it serves and how, where that is not written for the spec as it is. */
  async answer(object: ModelDeployment): Promise<void> {
    const { db, clock, cluster, blobs, engineImages } = this.#parts;
    const { metadata, spec, status } = object;
    const { uid = '', generation = 0, namespace = '' } = metadata;
    const now = clock.now();
    const told = status?.conditions?.find(({ type }) => type === TYPE);
    const usable = status?.setup && isUsable(status.setup, onGpusToo(engineImages)) ? status.setup : undefined;
    if (usable?.generation === generation && told?.status === 'True') return;
    const refused = this.#refused.get(uid);
    if (refused?.generation === generation && now - refused.at < ASK_AGAIN_MS) return;
    const organizationId = organizationOf(namespace) ?? '';
    const found: Found | Refused = blobs
      ? await findWeights(db.sql, organizationId, spec)
      : { reason: 'StoreOff', args: {} };
    if ('reason' in found) return this.#refuse(object, found, now);
    const closed = await this.#gated(object, found, usable, organizationId);
    if (closed) return this.#refuse(object, closed, now);
    const wish = wishOf(object, found.weights.digest);
    const kept = usable?.wish === wish ? usable : undefined;
    const answer =
      reservedIn(spec) ??
      (kept ? { setup: kept } : setupFor(spec, found, cluster.places(object), onGpusToo(engineImages)));
    if ('reason' in answer) return this.#refuse(object, answer, now);
    this.#refused.delete(uid);
    const { gpu, nodes, contextLength, ...setup } = answer.setup;
    const at = kept?.at ?? rfc3339(now);
    await cluster.write(object, {
      // A merge patch: what is gone has to be taken out.
      weights: { entry: null, adapterEntries: null, format: null, ...found.weights },
      setup: {
        ...setup,
        image: imageOf(engineImages, setup.engine, gpu !== undefined) ?? null,
        ...{ gpu: gpu ?? null, nodes: nodes ?? null, contextLength: contextLength ?? null },
        ...{ generation, wish, at },
      },
      conditions: withCondition(object, { status: 'True', reason: 'Chosen', message: '' }, now),
    });
  }

  /** What is served already stays, whatever is known of it now. */
  async #gated(
    { spec, status }: ModelDeployment,
    { weights, version, adapters }: Found,
    usable: ModelSetup | undefined,
    organizationId: string,
  ): Promise<Refused | undefined> {
    const { gate } = spec;
    if (!gate || (usable && status?.weights?.digest === weights.digest)) return undefined;
    const own = digestOfVersion(version);
    const served = [
      { weights: own, adapterWeights: null },
      ...adapters.map((one) => ({ weights: own, adapterWeights: digestOfVersion(one) })),
    ];
    return closedGate(gate, spec, served, await this.#parts.scoresOf(organizationId, gate.evaluation));
  }

  /** How it would be served now. Nothing is written. */
  async fit({ organization }: Caller, spec: FitWish, language: Language): Promise<DeploymentFitView> {
    const { db, cluster, blobs, engineImages } = this.#parts;
    const object = fitted(organization, spec);
    const found: Found | Refused = blobs
      ? await findWeights(db.sql, organization.id, object.spec)
      : { reason: 'StoreOff', args: {} };
    const chosen =
      'reason' in found ? found : setupFor(object.spec, found, cluster.places(object), onGpusToo(engineImages));
    return fitView((await this.#withoutGroups(chosen)) ?? chosen, language);
  }

  /**
   * The same on the cards of each of these models alone, with what a replica would use; of models that no node here has, nothing. Where
   * files are not stored there is no model.
   */
  async fitsOn(
    { organization }: Caller,
    spec: FitWish,
    gpus: readonly string[],
    language: Language,
  ): Promise<ReadonlyMap<string, { fit: DeploymentFitView; uses: readonly Use[] }>> {
    const { db, cluster, blobs, engineImages } = this.#parts;
    const object = fitted(organization, spec);
    const found = blobs ? await findWeights(db.sql, organization.id, object.spec) : undefined;
    const fits = new Map<string, { fit: DeploymentFitView; uses: readonly Use[] }>();
    if (!found || 'reason' in found) return fits;
    const byModel = Map.groupBy(cluster.places(object), ({ model }) => model);
    for (const model of gpus) {
      const places = byModel.get(model);
      if (!places) continue;
      const chosenFor = (wished: ModelDeployment['spec']) => setupFor(wished, found, places, onGpusToo(engineImages));
      const free = chosenFor(object.spec);
      // A small one needs no card; here it is asked for on one.
      const needsNone = 'setup' in free && !free.setup.gpu;
      const chosen = needsNone ? chosenFor({ ...object.spec, gpu: { model, count: 1 } }) : free;
      const answer = (await this.#withoutGroups(chosen)) ?? chosen;
      const uses = 'setup' in answer ? usesOfReplica(object, answer.setup) : [];
      fits.set(model, { fit: fitView(answer, language), uses });
    }
    return fits;
  }

  /** As the operator will say it. */
  async #withoutGroups(answer: SetupAnswer): Promise<Refused | undefined> {
    if ('reason' in answer) return undefined;
    const { gpu, nodes = 1 } = answer.setup;
    if (nodes === 1 || (await this.#parts.cluster.hasGroups())) return undefined;
    return {
      reason: 'NeedsGroups',
      args: { nodes: `${nodes}`, count: `${gpu?.count ?? 0}`, model: gpu?.model ?? '–' },
    };
  }

  /** Throws deployment_unservable, with what `fit` says of it. Where there is no object store yet, it waits for one. */
  async demandFit(caller: Caller, spec: FitWish, language: Language): Promise<void> {
    const { reason, message } = await this.fit(caller, spec, language);
    if (message !== null && reason !== 'StoreOff') throw problem('deployment_unservable', { why: message });
  }

  async #refuse(object: ModelDeployment, { reason, args }: Refused, now: number): Promise<void> {
    const { uid = '', generation = 0 } = object.metadata;
    this.#refused.set(uid, { generation, at: now });
    const message = sentence(modelDeployment.reasons[reason], 'en', args);
    const told = object.status?.conditions?.find(({ type }) => type === TYPE);
    if (told?.status === 'False' && told.message === message && told.observedGeneration === generation) return;
    const conditions = withCondition(object, { status: 'False', reason, message, args: { ...args } }, now);
    await this.#parts.cluster.write(object, { conditions });
  }

  #due(object: ModelDeployment): WaitingPod[] {
    const { cluster, clock, blobs } = this.#parts;
    if (!blobs || object.status?.weights === undefined) return [];
    const now = clock.monotonic();
    return cluster
      .waiting(object)
      .filter(({ name }) => !this.#under.has(`${object.metadata.namespace}/${name}`))
      .filter(
        ({ name }) => now - (this.#failed.get(`${object.metadata.namespace}/${name}`) ?? -TRY_AGAIN_MS) >= TRY_AGAIN_MS,
      )
      .slice(0, Math.max(0, DELIVERIES_AT_ONCE - this.#under.size));
  }

  async #deliver(object: ModelDeployment, pod: WaitingPod, signal: AbortSignal): Promise<void> {
    const { db, clock, blobs, cluster, log } = this.#parts;
    const { namespace = '' } = object.metadata;
    const key = `${namespace}/${pod.name}`;
    this.#under.add(key);
    try {
      const found = await findWeights(db.sql, organizationOf(namespace) ?? '', object.spec);
      if ('reason' in found || !blobs) return;
      await deliver(blobs, found.list, cluster.receiver(object, pod), signal);
      this.#failed.delete(key);
      log.info({ pod: key, bytes: found.weights.sizeBytes }, 'a replica has its model');
    } catch (error) {
      // The map would grow with every Pod that ever failed.
      if (this.#failed.size > MOST_FAILED) this.#failed.clear();
      this.#failed.set(key, clock.monotonic());
      if (!signal.aborted) log.warn({ err: error, pod: key }, 'a replica did not get its model yet');
    } finally {
      this.#under.delete(key);
    }
  }
}

/** Cards that its engine cannot use were chosen by an earlier version: nobody goes on paying for them. */
const isUsable = ({ engine, gpu }: ModelSetup, onGpus: readonly Engine[]): boolean =>
  !gpu || onGpus.includes(engine) || ENGINE_FACTS[engine].devices.includes('gpu');

type FitWish = Pick<ModelDeployment['spec'], 'model' | 'version'> & Partial<ModelDeployment['spec']>;
/** The parts of a spec that no fit depends on. */
const UNUSED = { power: 'Running', restartCount: 0, replicas: 1 };
const NO_FIT: DeploymentFitView = {
  fits: false,
  reason: null,
  message: null,
  engine: null,
  gpu: null,
  nodes_per_replica: null,
  cores: null,
  memory_gi: null,
  context_length: null,
  tensor_parallel_size: null,
  arithmetic: [],
};

function fitView(answer: SetupAnswer | Refused, language: Language): DeploymentFitView {
  if ('reason' in answer)
    return { ...NO_FIT, reason: answer.reason, message: localized(modelDeployment, answer, language) };
  const { engine, gpu, nodes = 1, cores, memoryGi, contextLength, tensorParallel } = answer.setup;
  return {
    ...NO_FIT,
    fits: true,
    engine,
    gpu: gpu ?? null,
    nodes_per_replica: nodes,
    cores,
    memory_gi: memoryGi,
    context_length: contextLength ?? null,
    tensor_parallel_size: tensorParallel,
    arithmetic: arithmeticOf(answer.setup).map((line) => localized({ reasons: {} }, line, language)),
  };
}

const fitted = ({ namespace }: Caller['organization'], spec: FitWish): ModelDeployment =>
  ({ metadata: { namespace, name: '' }, spec: { ...UNUSED, ...spec } }) as ModelDeployment;

/** What a deployment with one replica is billed for, once it is served so. */
const usesOfReplica = (object: ModelDeployment, setup: Chosen): readonly Use[] =>
  modelDeployment.cost?.desired({ ...object, status: { setup } } as ModelDeployment) ?? [];

const MOST_FAILED = 1000;

function withCondition(
  { metadata, status }: ModelDeployment,
  said: Pick<Condition, 'status' | 'reason' | 'message' | 'args'>,
  now: number,
): Condition[] {
  const known = status?.conditions ?? [];
  const next = nextCondition(known, { type: TYPE, ...said }, now);
  return [
    ...known.filter(({ type }) => type !== TYPE),
    { ...next, ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }) },
  ];
}
