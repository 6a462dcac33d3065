// The replicas of one service as the gateway reaches them: which one takes the next request, over connections that are kept.
import type { Agent } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { NO_POD } from '@gantry/contract/inner-addresses.ts';
import type { ContainerServiceStatus } from '@gantry/contract/kinds/container-service.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { addressList } from '../address-list.ts';
import { type Through, Wires } from './wires.ts';

type StatusPod = NonNullable<ContainerServiceStatus['pods']>[number];

/** A way to a port of a Pod other than straight to its address. Close it with `destroy`. */
export type WayTo = (at: { namespace: string; pod: string }, port: number) => Agent;

/** One that could not be reached is left out for so long, unless there is no other. */
const AVOID_MS = 2_000;

export interface Replica {
  pod: string;
  ip: string;
  port: number;
  inFlight: number;
  avoidUntil: number;
  wires: Wires;
  /** For WebSockets. */
  agent: Agent | false;
}

/**
 * Addresses that no Pod has: our own, the addresses at which clouds tell a node its secrets, and IPv4 in disguise. The operator writes
 * addresses and tenants cannot; this is for the day when that is not so.
 */
const NEVER = {
  ipv4: addressList(NO_POD.v4),
  // In a list of both families the mapped addresses would match every IPv4 address.
  ipv6: addressList([...NO_POD.v6, '::ffff:0:0/96']),
};

export function isPodAddress(ip: string): boolean {
  if (isIPv4(ip)) return !NEVER.ipv4.check(ip, 'ipv4');
  return isIPv6(ip) && !NEVER.ipv6.check(ip, 'ipv6');
}

export class Upstream {
  readonly #namespace: string;
  readonly #wayTo: WayTo | undefined;
  readonly #isAddress: (ip: string) => boolean;
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>;
  #replicas: Replica[] = [];
  #turn = 0;

  constructor(parts: {
    namespace: string;
    wayTo?: WayTo | undefined;
    isAddress: (ip: string) => boolean;
    clock: Pick<Clock, 'monotonic' | 'after'>;
  }) {
    this.#clock = parts.clock;
    this.#namespace = parts.namespace;
    this.#wayTo = parts.wayTo;
    this.#isAddress = parts.isAddress;
  }

  get replicas(): readonly Replica[] {
    return this.#replicas;
  }

  /** Those that are ready, at this port. What those carry that are not any more goes on. */
  update(pods: readonly StatusPod[], port: number): void {
    const kept = new Set<Replica>();
    const next: Replica[] = [];
    for (const { name, podIP, phase } of pods) {
      if (phase !== 'ready' || podIP === undefined || !this.#isAddress(podIP)) continue;
      const known = this.#replicas.find((one) => one.pod === name && one.ip === podIP && one.port === port);
      if (known) kept.add(known);
      next.push(known ?? this.#open(name, podIP, port));
    }
    // Its connections end with what they carry.
    for (const one of this.#replicas) if (!kept.has(one)) one.wires.close();
    this.#replicas = next;
  }

  /** The one with the least in flight, except `not`. Of several each has its turn. */
  pick(now: number, not?: Replica): Replica | undefined {
    let best: Replica | undefined;
    const all = this.#replicas;
    const first = this.#turn++;
    for (let at = 0; at < all.length; at++) {
      const one = all[(first + at) % all.length];
      if (!one || one === not) continue;
      if (!best) best = one;
      else if (one.avoidUntil > now !== best.avoidUntil > now) best = one.avoidUntil > now ? best : one;
      else if (one.inFlight < best.inFlight) best = one;
    }
    return best;
  }

  avoid(replica: Replica, now: number): void {
    replica.avoidUntil = now + AVOID_MS;
  }

  close(): void {
    for (const one of this.#replicas) {
      one.wires.destroy();
      if (one.agent) one.agent.destroy();
    }
    this.#replicas = [];
  }

  #open(pod: string, ip: string, port: number): Replica {
    const agent = this.#wayTo?.({ namespace: this.#namespace, pod }, port) ?? false;
    return replicaAt({ pod, ip, port, agent }, this.#clock);
  }
}

/** Straight to its address, or as `agent` opens connections. */
export const replicaAt = (
  at: Pick<Replica, 'pod' | 'ip' | 'port' | 'agent'>,
  clock: Pick<Clock, 'monotonic' | 'after'>,
): Replica => ({
  ...at,
  inFlight: 0,
  avoidUntil: 0,
  wires: new Wires({ host: at.ip, port: at.port }, clock, at.agent ? connectorOf(at.agent) : undefined),
});

/** The connections that the agent opens are kept here, not there. */
const connectorOf =
  (agent: Agent): Through =>
  (done) =>
    void agent.createConnection({}, done as never);
