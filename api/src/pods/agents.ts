// Connections to Pods, cached while they are used.
import type { Agent } from 'node:http';

export class Agents {
  readonly #most: number;
  readonly #agents = new Map<string, Agent>();

  /** There are more than `most` only while they all carry something. */
  constructor(most: number) {
    this.#most = most;
  }

  of(key: string, make: () => Agent): Agent {
    const agent = this.#agents.get(key) ?? make();
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    for (const [oldest, other] of this.#agents) {
      if (this.#agents.size <= this.#most) break;
      // Destroying one cuts off its transfers, which may last for hours.
      if (other === agent || isBusy(other)) continue;
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

const isBusy = ({ sockets, requests }: Agent): boolean =>
  Object.keys(sockets).length > 0 || Object.keys(requests).length > 0;
