// Writes how many replicas something scaled has, and when it was last asked for something. The same for services and models.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { isConflict } from '@gantry/kube/api-error.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { Cluster } from './open-cluster.ts';

/** The scaled object, as far as scaling is concerned: a service, or an object with the same fields. */
export type Scaled = Pick<ContainerService, 'metadata' | 'spec' | 'status'>;

export interface ScalingParts {
  cluster: Pick<Cluster, 'client' | 'cache'>;
  clock: Pick<Clock, 'now'>;
  log: { warn(facts: object, message: string): void };
}

const MOST_TRIES = 3;
/** How often `status.traffic` follows. */
const NOTE_MS = 60_000;

export class ScalingWrites {
  readonly #facts: KindFacts;
  readonly #parts: ScalingParts;
  readonly #noted = new Map<string, number>();

  constructor(facts: KindFacts, parts: ScalingParts) {
    this.#facts = facts;
    this.#parts = parts;
  }

  /** Rejects where somebody has changed the object meanwhile. */
  async write(object: Scaled, scaling: { replicas: number; because: string; value?: number }): Promise<void> {
    const { client, cache } = this.#parts.cluster;
    const { resourceVersion } = object.metadata;
    const body = { status: { scaling: { value: null, ...scaling, at: rfc3339(this.#parts.clock.now()) } } };
    const patch = { ...targetOf(object as unknown as KubeObject), ...(resourceVersion && { resourceVersion }), body };
    cache.observe(await client.mergePatch(resourceOf(this.#facts), patch, 'status'));
  }

  /** Resolves once it is to have one replica, or somebody else has seen to it. */
  async wake<T extends Scaled>(object: T, isAsleep: (object: T) => boolean): Promise<void> {
    let live = object;
    for (let tries = 1; isAsleep(live); tries++) {
      try {
        return await this.write(live, { replicas: 1, because: 'Request' });
      } catch (error) {
        if (tries === MOST_TRIES || !isConflict(error)) throw error;
        const { namespace, name, uid } = targetOf(live as unknown as KubeObject);
        const found = await this.#parts.cluster.client.get(resourceOf(this.#facts), namespace, name);
        if (found.metadata.uid !== uid) return;
        live = found as unknown as T;
      }
    }
  }

  /** When each was last asked for something: in its status, once a minute at most. */
  async note(all: Iterable<{ uid: string; object: Scaled; meter: { lastActiveAt: number } }>): Promise<void> {
    const { cluster, log } = this.#parts;
    const present = new Set<string>();
    for (const { uid, object, meter } of all) {
      present.add(uid);
      const last = this.#noted.get(uid) ?? Date.parse(object.status?.traffic?.lastRequestAt ?? '1970-01-01T00:00:00Z');
      if (meter.lastActiveAt - last < NOTE_MS) continue;
      this.#noted.set(uid, meter.lastActiveAt);
      const body = { status: { traffic: { lastRequestAt: rfc3339(meter.lastActiveAt) } } };
      await cluster.client
        .mergePatch(resourceOf(this.#facts), { ...targetOf(object as unknown as KubeObject), body }, 'status')
        .catch((error: unknown) => log.warn({ err: error, uid }, 'the last request was not noted'));
    }
    for (const uid of this.#noted.keys()) if (!present.has(uid)) this.#noted.delete(uid);
  }
}
