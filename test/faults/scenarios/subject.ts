// One Job, data task or ContainerService on simulated or real nodes: what a tenant wishes of it, waiting until it is so, and all that was
// seen of it and of its Pods.
import { API_VERSION, type CommonStatus, type KindFacts, type KubeObject } from '@gantry/contract/define-kind.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { MODELS } from '../../../hack/kwok/nodes.ts';
import type { Arena } from './arena.ts';
import type { Sighting, Witness } from './witness.ts';

/** Time for a crash, a restart and a busy machine. */
const PATIENCE_MS = 60_000;

/** One card of the simulated nodes that have most of them. */
const CARD = { model: MODELS.h100.product, count: 1 };
const SIZE = { image: 'registry.gantry.internal/official/busybox:1.36', gpu: CARD, cores: 1, memoryGi: 1 };
/** A simulated node ends a program that sleeps when it is done. */
const SMALL_JOB = { ...SIZE, command: ['sleep', '600'] };
const SMALL_PROCESS = {
  ...{ type: 'Convert', convert: { format: 'JsonLines' }, cores: 0.1, memoryGi: 0.25 },
  ...{ input: { dataset: 'dst-in', version: 1 }, output: { name: 'made' } },
};
const SMALL_TUNE = {
  ...{ base: { model: 'mdl-base', version: 'v1' }, datasets: [{ dataset: 'dst-in', version: 1 }] },
  ...{ output: { name: 'made' }, cores: 0.1, memoryGi: 0.25 },
};
const SMALL_EVALUATION = {
  ...{ subjects: [{ deployment: 'chat' }], tasks: [{ dataset: 'dst-in', version: 1, metric: 'ExactMatch' }] },
  ...{ cores: 0.1, memoryGi: 0.25 },
};
const SMALL_SERVICE = { ...SIZE, ports: [{ port: 8080 }] };

export interface Observed extends KubeObject {
  spec: object;
  status?: CommonStatus & { intervals?: readonly Interval[] | undefined };
}

/** The facts of a kind that its lives need. */
interface KindOf {
  readonly facts: KindFacts;
  readonly small: object;
}
export const JOB: KindOf = { facts: job, small: SMALL_JOB };
export const PROCESS: KindOf = { facts: dataProcess, small: SMALL_PROCESS };
export const TUNE: KindOf = { facts: fineTune, small: SMALL_TUNE };
export const EVALUATION: KindOf = { facts: evaluation, small: SMALL_EVALUATION };
export const SERVICE: KindOf = { facts: containerService, small: SMALL_SERVICE };

/** The facts of a subject that are known from outside. */
export type Subjected = Pick<Subject<Observed>, 'name' | 'namespace' | 'kind' | 'pods' | 'history'>;

export class Subject<T extends Observed> {
  readonly namespace: string;
  readonly name: string;
  readonly kind: KindOf;
  readonly #arena: Arena;
  readonly #witness: Witness<T>;
  /** The generation of the latest change: an older status says nothing about it. */
  #generation = 1;

  constructor(arena: Arena, kind: KindOf, witness: Witness<T>, [namespace, name]: readonly [string, string]) {
    this.#arena = arena;
    this.#witness = witness;
    this.kind = kind;
    this.namespace = namespace;
    this.name = name;
  }

  get #collection(): string {
    return `/apis/${API_VERSION}/namespaces/${this.namespace}/${this.kind.facts.plural}`;
  }

  get path(): string {
    return `${this.#collection}/${this.name}`;
  }

  get now(): T | undefined {
    return this.#witness.now(this.namespace, this.name);
  }

  /** Every state it went through. */
  get history(): readonly Sighting<T>[] {
    return this.#witness.sightings(
      ({ metadata }) => metadata.name === this.name && metadata.namespace === this.namespace,
    );
  }

  /** Everything that happened to its Pods, in order: a hand that takes a label off changes nothing of whose a Pod is. */
  get pods(): readonly Sighting<Pod>[] {
    const isNamed = ({ metadata: { namespace, labels } }: Pod) =>
      namespace === this.namespace && labels?.[LABEL.kind] === this.kind.facts.kind && labels[LABEL.name] === this.name;
    const uids = new Set(this.#arena.pods.sightings(isNamed).map(({ object }) => object.metadata.uid));
    return this.#arena.pods.sightings(({ metadata }) => uids.has(metadata.uid));
  }

  /** Its Pods that are there and were not told to end. */
  get living(): readonly Pod[] {
    const last = new Map(this.pods.map((one) => [one.object.metadata.uid, one]));
    return [...last.values()]
      .filter(({ object, isGone }) => !isGone && object.metadata.deletionTimestamp === undefined)
      .map(({ object }) => object);
  }

  /** `finalizers` of others, as billing's. */
  async create(spec: object = {}, finalizers: readonly string[] = []): Promise<void> {
    const { namespace, name, kind } = this;
    const body = {
      apiVersion: API_VERSION,
      kind: kind.facts.kind,
      metadata: { name, namespace, ...(finalizers.length > 0 && { finalizers }) },
      spec: { ...kind.small, ...spec },
    };
    // As kubectl does: a field that nobody knows is refused, not dropped.
    await this.#arena.call({ method: 'POST', path: `${this.#collection}?fieldValidation=Strict`, body });
  }

  async wish(spec: object): Promise<void> {
    const after = await this.#arena.patch<T>(this.path, { spec });
    this.#generation = after.metadata.generation ?? 0;
  }

  async release(): Promise<void> {
    await this.#arena.call({ method: 'DELETE', path: this.path });
  }

  /** Billing has posted what there was. */
  async letGo(): Promise<void> {
    await this.#arena.patch(this.path, { metadata: { finalizers: [] } });
  }

  /** Removes objects that a failed scenario left. */
  async sweep(): Promise<void> {
    if (!this.now) return;
    await this.release();
    const isReleased = () => !this.now || this.now.status?.phase === 'released';
    await this.#until('swept', isReleased, PATIENCE_MS);
    if (this.now) await this.letGo();
    await this.isGone();
  }

  reaches(phase: string, limitMs?: number): Promise<T> {
    return this.becomes(phase, ({ status }) => status?.phase === phase, limitMs);
  }

  /** As it is in the first state, from now on, in which the latest wish is known and `is` holds. */
  becomes(what: string, is: (seen: T) => boolean, limitMs = PATIENCE_MS): Promise<T> {
    const look = () => {
      const { now } = this;
      const { generation = 0 } = now?.metadata ?? {};
      return now && generation >= this.#generation && now.status?.observedGeneration === generation && is(now) && now;
    };
    return this.#until(what, look, limitMs);
  }

  async isGone(limitMs = PATIENCE_MS): Promise<void> {
    await this.#until('gone', () => !this.now, limitMs);
  }

  #until<R>(what: string, look: () => R | undefined | false, limitMs: number): Promise<R> {
    return this.#witness.until(() => `${this.name} is ${what}; ${this.#story()}`, look, limitMs);
  }

  #story(): string {
    const phases = this.history.map(({ object }) => object.status?.phase ?? 'new');
    const story = phases.filter((phase, index) => phase !== phases[index - 1]).join(' → ');
    const pods = this.pods
      .slice(-3)
      .map(({ object, isGone }) => `${object.metadata.name} ${isGone ? 'gone' : object.status?.phase}`);
    return `it went ${story}; ${this.now?.status?.message}; Pods: ${pods.join(', ')}`;
  }
}
