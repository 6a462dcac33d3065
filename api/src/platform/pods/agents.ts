// Connections to Pods, cached while they are used.
import type { Agent } from 'node:http';

interface Destroyed {
  destroy(): void;
}

export class Agents<Kept extends Destroyed> {
  readonly #most: number;
  readonly #isBusy: (agent: Kept) => boolean;
  readonly #agents = new Map<string, Kept>();

  /** There are more than `most` only while they all carry something. */
  constructor(most: number, isBusy: (agent: Kept) => boolean) {
    this.#most = most;
    this.#isBusy = isBusy;
  }

  of(key: string, make: () => Kept): Kept {
    const agent = this.#agents.get(key) ?? make();
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    for (const [oldest, other] of this.#agents) {
      if (this.#agents.size <= this.#most) break;
      // Destroying one cuts off its transfers, which may last for hours.
      if (other === agent || this.#isBusy(other)) continue;
      this.#agents.delete(oldest);
      other.destroy();
    }
    return agent;
  }

  stop(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }
}

export const isAgentBusy = ({ sockets, requests }: Agent): boolean =>
  Object.keys(sockets).length > 0 || Object.keys(requests).length > 0;
