// One GpuInstance on simulated nodes: what a tenant wishes of it, and waiting until it is so.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import type { GpuInstance, GpuInstancePhase, GpuInstanceSpec } from '@gantry/contract/kinds/gpu-instance.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { MODELS } from '../../../hack/kwok/nodes.ts';
import { isOwnedBy } from '../../../operator/src/resources.ts';
import type { Arena } from './arena.ts';
import type { Sighting } from './witness.ts';

/** Time for a crash, a restart and a busy machine. */
const PATIENCE_MS = 60_000;

/** One card of the simulated nodes that have most of them. */
export const SMALL = {
  image: 'registry.gantry.internal/official/busybox:1.36',
  gpu: { model: MODELS.h100.product, count: 1 },
  cores: 1,
  memoryGi: 1,
  homeDisk: { sizeGi: 1 },
};

type Wish = Partial<GpuInstanceSpec>;

export class Instance {
  readonly namespace: string;
  readonly name: string;
  readonly #arena: Arena;
  /** The generation of the latest change: an older status says nothing about it. */
  #generation = 1;

  constructor(arena: Arena, namespace: string, name: string) {
    this.#arena = arena;
    this.namespace = namespace;
    this.name = name;
  }

  get #collection(): string {
    return `/apis/${API_VERSION}/namespaces/${this.namespace}/gpuinstances`;
  }

  get path(): string {
    return `${this.#collection}/${this.name}`;
  }

  get now(): GpuInstance | undefined {
    return this.#arena.instances.now(this.namespace, this.name);
  }

  /** Every state it went through. */
  get history(): readonly Sighting<GpuInstance>[] {
    return this.#arena.instances.sightings(({ metadata }) => this.#isNamed(metadata.name, metadata.namespace));
  }

  /** Everything that happened to its Pods, in order. */
  get pods(): readonly Sighting<Pod>[] {
    const uids = new Set(this.history.map(({ object }) => object.metadata.uid));
    return this.#arena.pods.sightings((pod) => pod.metadata.ownerReferences?.some(({ uid }) => uids.has(uid)) ?? false);
  }

  /** The Pod of the run under way. */
  get pod(): Pod {
    const { now } = this;
    const pod = now && this.#arena.pods.now(this.namespace, `${this.name}-${now.status?.run?.seq}`);
    if (!pod || !isOwnedBy(pod, now)) throw new Error(`${this.name} has no Pod`);
    return pod;
  }

  async create(spec: Wish = {}): Promise<void> {
    const { namespace, name } = this;
    const body = {
      apiVersion: API_VERSION,
      kind: 'GpuInstance',
      metadata: { name, namespace },
      spec: { ...SMALL, ...spec },
    };
    // As kubectl does: a field that nobody knows is refused, not dropped.
    await this.#arena.call({ method: 'POST', path: `${this.#collection}?fieldValidation=Strict`, body });
  }

  async wish(spec: Wish): Promise<void> {
    const after = await this.#arena.patch<GpuInstance>(this.path, { spec });
    this.#generation = after.metadata.generation ?? 0;
  }

  async release(): Promise<void> {
    await this.#arena.call({ method: 'DELETE', path: this.path });
  }

  /** Without a rest before it, for what a failed scenario left running. */
  async sweep(): Promise<void> {
    if (!this.now) return;
    await this.#arena.patch(this.path, { metadata: { annotations: { [ANNOTATION.force]: this.name } } });
    await this.release();
    await this.isGone();
  }

  /** From whatever state to none. */
  async end(): Promise<void> {
    await this.wish({ power: 'ShutDown' });
    await this.reaches('shutDown');
    await this.release();
    await this.isGone();
  }

  reaches(phase: GpuInstancePhase, limitMs?: number): Promise<GpuInstance> {
    return this.becomes(phase, ({ status }) => status?.phase === phase, limitMs);
  }

  /** As it is in the first state, from now on, in which the latest wish is known and `is` holds. */
  becomes(what: string, is: (instance: GpuInstance) => boolean, limitMs = PATIENCE_MS): Promise<GpuInstance> {
    const look = () => {
      const { now } = this;
      const { generation = 0 } = now?.metadata ?? {};
      return now && generation >= this.#generation && now.status?.observedGeneration === generation && is(now) && now;
    };
    return this.#arena.instances.until(() => `${this.name} is ${what}; ${this.#story()}`, look, limitMs);
  }

  async isGone(limitMs = PATIENCE_MS): Promise<void> {
    await this.#arena.instances.until(
      () => `${this.name} is gone; ${this.#story()}`,
      () => !this.now,
      limitMs,
    );
  }

  #isNamed(name: string, namespace: string | undefined): boolean {
    return name === this.name && namespace === this.namespace;
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
