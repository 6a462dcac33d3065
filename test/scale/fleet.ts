// Many instances of one organisation, and how far they have come. Driven and followed by the operator's own client and
// caches, with the administrator's rights: nothing at hand costs the machine less beside the operator that is looked at.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { isConflict } from '@gantry/kube/api-error.ts';
import { Caches } from '@gantry/kube/caches.ts';
import { KubeClient } from '@gantry/kube/client.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { Credentials } from '@gantry/kube/credentials.ts';
import { inParallel } from '@gantry/kube/in-parallel.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { Change } from '@gantry/kube/store.ts';
import { KubeConfig } from '@kubernetes/client-node';
import { FIELD_MANAGER } from '../../operator/src/runtime/status-patch.ts';

export type InstanceSpec = { readonly [K in keyof GpuInstance['spec']]?: GpuInstance['spec'][K] };
type Phase = string;

/** The administrator's client, with kept-alive connections. */
export function clientOf(kubeconfig: string): KubeClient {
  const load = () => {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    return config;
  };
  return new KubeClient(new Credentials(load, systemClock), { fieldManager: FIELD_MANAGER });
}

/** Requests under way at once. */
const WIDTH = 32;
const MOST_TRIES = 5;

interface Waiter {
  readonly isMet: () => boolean;
  readonly resolve: () => void;
}

export class Fleet {
  readonly client: KubeClient;
  readonly #namespace: string;
  readonly #instances: Resource;
  readonly #caches: Caches;
  readonly #stop = new AbortController();
  /** How many instances are in each phase now. */
  readonly #tally = new Map<Phase, number>();
  readonly #waiters = new Set<Waiter>();

  private constructor(kubeconfig: string, namespace: string, also: readonly Resource[]) {
    this.client = clientOf(kubeconfig);
    this.#namespace = namespace;
    this.#instances = { ...resourceOf(gpuInstance), namespace };
    this.#caches = new Caches([this.#instances, ...also], {
      client: this.client,
      clock: systemClock,
      report: { failed: () => {}, stumbled: () => {}, corrected: () => {} },
    });
  }

  /** Follows the instances of a namespace, and whatever else a caller wants to watch. Ends with `close()`. */
  static async follow(kubeconfig: string, namespace: string, also: readonly Resource[] = []): Promise<Fleet> {
    const fleet = new Fleet(kubeconfig, namespace, also);
    await fleet.#caches.start(fleet.#stop.signal);
    for (const instance of fleet.instances()) fleet.#count({ after: instance });
    fleet.onChange(fleet.#instances, (change) => fleet.#count(change));
    return fleet;
  }

  instances(): readonly GpuInstance[] {
    return this.#caches.list(this.#instances) as readonly GpuInstance[];
  }

  onInstance(listener: (change: Change) => void): void {
    this.onChange(this.#instances, listener);
  }

  onChange(resource: Resource, listener: (change: Change) => void): void {
    this.#caches.onChange(resource, listener);
  }

  create(names: readonly string[], spec: InstanceSpec): Promise<void> {
    return inParallel(names, WIDTH, async (name) => {
      await this.createOne(name, spec);
    });
  }

  /** If many creates meet in one quota, the API server may ask to try again: every client has to. */
  async createOne(name: string, spec: InstanceSpec): Promise<KubeObject> {
    const metadata = { name, namespace: this.#namespace };
    const manifest = { apiVersion: API_VERSION, kind: gpuInstance.kind, metadata, spec };
    for (let left = MOST_TRIES; ; left--) {
      try {
        return await this.client.create(this.#instances, manifest);
      } catch (error) {
        if (left === 0 || !isConflict(error)) throw error;
      }
    }
  }

  /** As a press of the button of that name on each. */
  wish(power: GpuInstance['spec']['power']): Promise<void> {
    return inParallel(this.instances(), WIDTH, async (instance) => {
      await this.client.mergePatch(this.#instances, { ...targetOf(instance), body: { spec: { power } } });
    });
  }

  async wishOne(name: string, power: GpuInstance['spec']['power']): Promise<void> {
    const instance = this.instances().find(({ metadata }) => metadata.name === name);
    if (!instance) throw new Error(`${name} is not there`);
    await this.client.mergePatch(this.#instances, { ...targetOf(instance), body: { spec: { power } } });
  }

  release(): Promise<void> {
    return inParallel(this.instances(), WIDTH, async (instance) => {
      await this.client.delete(this.#instances, targetOf(instance));
    });
  }

  /** Resolves once at least `count` instances are in the phase. Rejects at the limit with where they are instead. */
  reached(phase: Phase, count: number, limitMs: number): Promise<void> {
    return this.#until(`${count} instances are ${phase}`, () => (this.#tally.get(phase) ?? 0) >= count, limitMs);
  }

  gone(limitMs: number): Promise<void> {
    return this.#until('no instance is left', () => this.instances().length === 0, limitMs);
  }

  close(): void {
    this.#stop.abort();
  }

  #until(what: string, isMet: () => boolean, limitMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { isMet, resolve };
    const callOff = systemClock.after(limitMs, () => {
      reject(new Error(`not within ${limitMs / 1000} s: ${what}; ${this.#describe()}`));
    });
    this.#waiters.add(waiter);
    this.#announce();
    return promise.finally(() => {
      callOff();
      this.#waiters.delete(waiter);
    });
  }

  #count({ before, after }: Change): void {
    for (const [object, step] of [
      [before, -1],
      [after, 1],
    ] as const) {
      if (object) this.#tally.set(phaseOf(object), (this.#tally.get(phaseOf(object)) ?? 0) + step);
    }
    this.#announce();
  }

  #announce(): void {
    for (const { isMet, resolve } of this.#waiters) if (isMet()) resolve();
  }

  #describe(): string {
    const phases = [...this.#tally].filter(([, count]) => count > 0).map(([phase, count]) => `${count} ${phase}`);
    const rarest = [...this.#tally].filter(([, count]) => count > 0).sort((a, b) => a[1] - b[1])[0]?.[0];
    const example = this.instances().find((instance) => phaseOf(instance) === rarest);
    return `${phases.join(', ') || 'none'}; ${example?.metadata.name}: ${example?.status?.message}`;
  }
}

const phaseOf = (object: KubeObject): Phase => (object as GpuInstance).status?.phase ?? 'new';
