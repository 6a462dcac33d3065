// How many replicas of each service were ready, at every step of the last hour, as this gateway saw the cluster.
import type { ReplicasView } from '@gantry/contract/areas/container-services/container-services.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { Hour, STEP_MS } from './hour.ts';

export interface ReplicaHoursParts {
  list: () => readonly ContainerService[];
  /** The list may be out of date: such a step is a gap. */
  isStale: () => boolean;
  clock: Clock;
}

const READY = 'ready';

export class ReplicaHours {
  readonly #parts: ReplicaHoursParts;
  /** By uid. */
  readonly #hours = new Map<string, Hour>();
  #cancel = () => {};

  constructor(parts: ReplicaHoursParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#turn(this.#step());
  }

  stop(): void {
    this.#cancel();
  }

  /** By the service's uid. */
  read(uid: string): ReplicasView {
    const { clock } = this.#parts;
    const step = this.#step();
    const hour = this.#hours.get(uid);
    const end = clock.now() - clock.monotonic() + (hour?.lastStep(step) ?? step - 1) * STEP_MS;
    return {
      step_seconds: STEP_MS / 1000,
      end_time: new Date(end).toISOString(),
      ready: hour?.points(READY, step) ?? [],
    };
  }

  #step(): number {
    return Math.floor(this.#parts.clock.monotonic() / STEP_MS);
  }

  /** A timer may fire a little before its time: each turn knows its own step. */
  #turn(planned: number): void {
    const { clock, isStale } = this.#parts;
    const step = Math.max(planned, this.#step());
    if (!isStale()) this.#look(step);
    this.#cancel = clock.after((step + 1) * STEP_MS - clock.monotonic(), () => this.#turn(step + 1));
  }

  #look(step: number): void {
    const present = new Set<string>();
    for (const { metadata, status } of this.#parts.list()) {
      const uid = metadata.uid ?? '';
      present.add(uid);
      const hour = this.#hours.get(uid) ?? new Hour();
      this.#hours.set(uid, hour);
      // Nobody has looked at a new one yet.
      hour.put(step, [[READY, status?.replicas?.ready]]);
    }
    for (const uid of this.#hours.keys()) if (!present.has(uid)) this.#hours.delete(uid);
  }
}
