// Asks for an organisation's data server, keeps it while it is used, and says how it is reached. The wish is written as the gateway: what
// arrives is read whether a member is there or not.
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { MOST_DATA_HOURS, type Organization } from '@gantry/contract/kinds/organization.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { pause } from '@gantry/kube/clock.ts';
import type { Way } from '../../platform/pods/call-pod.ts';

export interface ServerCluster {
  find(id: string): Organization | undefined;
  /** Writes until when it is asked for, and returns what is written. */
  wish(owner: Organization, until: string): Promise<Organization>;
  /** The way to its Pod at this address. */
  reach(id: string, address: string): Omit<Way, 'id' | 'token'> | undefined;
  /** A secret of the platform's that belongs to this text. */
  keyed(text: string): string;
}

const MINUTE_MS = 60_000;
/** The server stays so long after it was last asked for. */
const KEEP_MS = 30 * MINUTE_MS;
const RENEW_BELOW_MS = 15 * MINUTE_MS;
/** The operator refuses a later end. This is its limit less the difference that two clocks may have. */
const MOST_AHEAD_MS = MOST_DATA_HOURS * 60 * MINUTE_MS - MINUTE_MS;
const LOOK_MS = 100;

/** It was not there in time. */
export class NotPlaced extends Error {
  override readonly name = 'NotPlaced';
  /** Why it cannot run, where the cluster says more than that it takes time. */
  readonly detail: string | undefined;

  constructor(owner: Organization | undefined) {
    const said = owner && conditionOf(owner);
    const detail = said?.reason === 'DataFailed' ? (said.args?.detail ?? said.message) : undefined;
    super(detail === undefined ? 'the data server has not started yet' : `the data server cannot run: ${detail}`);
    this.detail = detail;
  }
}

export class ServerPlace {
  readonly #cluster: ServerCluster;
  readonly #clock: Clock;

  constructor(cluster: ServerCluster, clock: Clock) {
    this.#cluster = cluster;
    this.#clock = clock;
  }

  /** Resolves once it answers. Throws not_found, NotPlaced. */
  async reach(id: string, waitMs: number, signal: AbortSignal): Promise<Way> {
    const generation = (await this.keep(id)).metadata.generation ?? 0;
    for (const deadline = this.#clock.monotonic() + waitMs; ; ) {
      signal.throwIfAborted();
      const owner = this.#living(id);
      // Its condition answers this request once it names it.
      const way = (owner.status?.observedGeneration ?? 0) >= generation ? this.#wayTo(owner) : undefined;
      if (way) return way;
      if (this.#clock.monotonic() >= deadline) throw new NotPlaced(owner);
      await pause(this.#clock, LOOK_MS, signal);
    }
  }

  /** Undefined where none is asked for, or it does not answer: nobody is waited for. */
  reached(id: string): Way | undefined {
    const owner = this.#cluster.find(id);
    return owner && this.#aheadMs(owner) > 0 ? this.#wayTo(owner) : undefined;
  }

  /** Extends its time, where less than half is left. */
  async keep(id: string): Promise<Organization> {
    const owner = this.#living(id);
    const aheadMs = this.#aheadMs(owner);
    if (aheadMs > RENEW_BELOW_MS && aheadMs <= MOST_AHEAD_MS) return owner;
    return this.#cluster.wish(owner, new Date(this.#clock.now() + KEEP_MS).toISOString());
  }

  #aheadMs({ spec }: Organization): number {
    const until = instantOf(spec.data?.until);
    return until === undefined ? 0 : until - this.#clock.now();
  }

  #living(id: string): Organization {
    const owner = this.#cluster.find(id);
    if (!owner || owner.metadata.deletionTimestamp) throw problem('not_found', { what: id });
    return owner;
  }

  #wayTo(owner: Organization): Way | undefined {
    const { data } = owner.status ?? {};
    if (!data || conditionOf(owner)?.status !== 'True') return undefined;
    const id = owner.metadata.name;
    const way = this.#cluster.reach(id, data.address);
    return way && { ...way, id, token: this.#cluster.keyed(`data/${identityOf(owner)}`) };
  }
}

const conditionOf = ({ status }: Organization) => status?.conditions?.find(({ type }) => type === 'DataAvailable');
