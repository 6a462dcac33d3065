// When an instance and its first Pod were first seen, by one clock: that of a client that watches both.
import { LABEL } from '@gantry/contract/names.ts';
import { eventually } from '../support/eventually.ts';
import type { Company } from './company.ts';

export class Sightings {
  readonly #instances = new Map<string, number>();
  readonly #pods = new Map<string, number>();

  constructor({ fleet, pods }: Pick<Company, 'fleet' | 'pods'>) {
    fleet.onInstance(({ before, after }) => {
      if (!before && after) this.#instances.set(after.metadata.name, performance.now());
    });
    fleet.onChange(pods, ({ before, after }) => {
      const owner = after?.metadata.labels?.[LABEL.name];
      if (!before && owner !== undefined && !this.#pods.has(owner)) this.#pods.set(owner, performance.now());
    });
  }

  /** From the instance to its Pod, in milliseconds; waits until there is one for each. */
  async latencies(names: readonly string[], limitMs: number): Promise<readonly number[]> {
    await eventually('every instance has its Pod', () => names.every((name) => this.#pods.has(name)), limitMs);
    return names.map((name) => (this.#pods.get(name) ?? Number.NaN) - (this.#instances.get(name) ?? Number.NaN));
  }

  /** The moment, by `performance.now()`. */
  async podOf(name: string, limitMs: number): Promise<number> {
    return eventually(`${name} has its Pod`, () => this.#pods.get(name), limitMs);
  }
}
