// Carries out a cluster plan: a look every few seconds whether one of its reads has changed, and then its writes. A burst of
// changes costs one plan.
import { isTaken } from '@gantry/kube/api-error.ts';
import type { Caches } from '@gantry/kube/caches.ts';
import type { KubeClient, ResourceNames } from '@gantry/kube/client.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { AnyClusterPlan } from '../define-controller.ts';

export interface ClusterPlanParts {
  plan: AnyClusterPlan;
  caches: Caches;
  client: Pick<KubeClient, 'create' | 'apply'>;
  names: ResourceNames;
  clock: Clock;
  settings: unknown;
  /** Leadership is sure now. Asked right before every write. */
  mayWrite(): boolean;
  failed(error: unknown): void;
}

const LOOK_MS = 2000;

export class ClusterPlanKeeper {
  readonly #parts: ClusterPlanParts;
  #done = '';
  #callOff: () => void = () => {};
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(parts: ClusterPlanParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running = this.#look().then(() => {
      if (!this.#isStopped) this.#callOff = this.#parts.clock.after(LOOK_MS, () => this.start());
    });
  }

  /** A write under way may take this long to end. */
  async stop(limitMs: number): Promise<void> {
    this.#isStopped = true;
    this.#callOff();
    const waiting = new AbortController();
    await Promise.race([this.#running, pause(this.#parts.clock, limitMs, waiting.signal)]);
    waiting.abort();
  }

  /** Until a plan writes nothing, its reads count as changed. */
  async #look(): Promise<void> {
    const { plan, caches, settings, failed } = this.#parts;
    try {
      const at = plan.reads.map((resource) => caches.version(resource)).join('/');
      if (at === this.#done) return;
      const { create = [], apply = [] } = plan.plan(caches, settings);
      for (const wanted of create) await this.#write(wanted, 'create');
      for (const wanted of apply) await this.#write(wanted, 'apply');
      if (create.length + apply.length === 0) this.#done = at;
    } catch (error) {
      failed(error);
    }
  }

  async #write(wanted: Parameters<KubeClient['create']>[1], verb: 'create' | 'apply'): Promise<void> {
    const { caches, client, names, mayWrite } = this.#parts;
    const resource = await names.of(wanted);
    if (!mayWrite()) return;
    try {
      caches.observe(await client[verb](resource, wanted), this);
    } catch (error) {
      // It was made before, and the watch has yet to say so.
      if (!isTaken(error)) throw error;
    }
  }
}
