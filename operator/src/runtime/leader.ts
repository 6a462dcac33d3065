// One of several operators leads: the holder of a Lease. Time is measured from when we saw the Lease change, by our own monotonic
// clock; nobody's wall clock decides. The Lease is not a fence, so every write is also guarded by versions.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import { ApiError, isAbsent } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { Resource } from '@gantry/kube/resource.ts';

const LEASES: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
};

interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string | null;
  renewTime?: string | null;
  leaseTransitions?: number;
}
type Lease = KubeObject & { spec?: LeaseSpec };

export interface LeaderTimes {
  /** Others may take over once the Lease has not changed for this long. */
  leaseMs: number;
  /** Our own writes stop this long after the last renewal began: earlier than anybody may take over. */
  sureMs: number;
  /** Between renewals, and between a standby's looks. */
  everyMs: number;
}

// Take-over after a crash: at most leaseMs + everyMs after the last renewal; after a release: everyMs.
const TIMES: LeaderTimes = { leaseMs: 6000, sureMs: 4000, everyMs: 500 };
/** Renewing as often as a standby looks would double the writes for nothing. */
const RENEW_EVERY = 3;

export interface LeaderParts {
  client: Pick<KubeClient, 'get' | 'create' | 'mergePatch'>;
  clock: Clock;
  namespace: string;
  name: string;
  /** Unique among all that ever contend. */
  identity: string;
  /** Which program it is: staff see it at the Lease. */
  version?: string | undefined;
  times?: LeaderTimes;
  onFault(error: unknown): void;
}

export class Leader {
  readonly #parts: LeaderParts;
  readonly #times: LeaderTimes;
  #lease: Lease | undefined;
  #changedAt = Number.NEGATIVE_INFINITY;
  /** When the renewal that last succeeded began. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  /** The claim under way, or the last one. */
  #claim: Promise<boolean> = Promise.resolve(false);

  constructor(parts: LeaderParts) {
    this.#parts = parts;
    this.#times = parts.times ?? TIMES;
  }

  /** Whether nobody else can lead now. Never true by hearsay: only by a renewal of ours that the API server confirmed. */
  surelyHeld(): boolean {
    return this.#parts.clock.monotonic() - this.#renewedAt < this.#times.sureMs;
  }

  /** Resolves once we lead, or with the signal. */
  async acquire(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await this.#tryOnce())) {
      await pause(this.#parts.clock, this.#times.everyMs * (0.8 + Math.random() * 0.4), signal);
    }
  }

  /**
   * Renews until the signal, or until somebody else holds the Lease: then it resolves to 'lost'. While the API server does not
   * answer nothing is lost and nothing is sure: `surelyHeld` turns false, and true again with the next renewal.
   */
  async hold(signal: AbortSignal): Promise<'lost' | 'stopped'> {
    while (!signal.aborted) {
      await pause(this.#parts.clock, this.#times.everyMs * (this.surelyHeld() ? RENEW_EVERY : 1), signal);
      if (signal.aborted) break;
      const renewed = await this.#tryOnce();
      if (!renewed && this.#holder() !== undefined && this.#holder() !== this.#parts.identity) return 'lost';
    }
    return 'stopped';
  }

  /** Gives up the Lease, so that a standby need not wait. After the signal of `acquire` and `hold`: nothing is claimed any more. */
  async release(): Promise<void> {
    // The API server may still grant it.
    await this.#claim;
    const held = this.#lease;
    this.#renewedAt = Number.NEGATIVE_INFINITY;
    if (!held || held.spec?.holderIdentity !== this.#parts.identity) return;
    await this.#write(held, { holderIdentity: '', leaseDurationSeconds: 1 }).catch(this.#parts.onFault);
  }

  #holder(): string | undefined {
    return this.#lease?.spec?.holderIdentity || undefined;
  }

  #tryOnce(): Promise<boolean> {
    this.#claim = this.#claimed();
    return this.#claim;
  }

  /** Whether we lead now. */
  async #claimed(): Promise<boolean> {
    const { clock, identity } = this.#parts;
    const began = clock.monotonic();
    try {
      // Our own last answer is good enough to renew from: a conflict tells when it is not.
      if (this.#holder() !== identity) await this.#look();
      const lease = this.#lease;
      const now = new Date(clock.now()).toISOString().replace('Z', '000Z');
      const claim = { holderIdentity: identity, leaseDurationSeconds: this.#times.leaseMs / 1000, renewTime: now };
      if (!lease) this.#keep(await this.#create({ ...claim, acquireTime: now, leaseTransitions: 0 }));
      else if (this.#holder() === identity) this.#keep(await this.#write(lease, claim));
      else if (this.#holder() === undefined || began - this.#changedAt > this.#leaseMsOf(lease)) {
        const leaseTransitions = (lease.spec?.leaseTransitions ?? 0) + 1;
        this.#keep(await this.#write(lease, { ...claim, acquireTime: now, leaseTransitions }));
      } else return false;
      this.#renewedAt = began;
      return true;
    } catch (error) {
      // Somebody wrote, or the answer to our own write was lost: look at the Lease itself.
      await this.#look().catch(() => {});
      if (!(error instanceof ApiError) || error.code !== 409) this.#parts.onFault(error);
      return false;
    }
  }

  /** The holder promised how long to stay away; one that promised nothing gets our own time. */
  #leaseMsOf(lease: Lease): number {
    return (lease.spec?.leaseDurationSeconds ?? this.#times.leaseMs / 1000) * 1000;
  }

  async #look(): Promise<void> {
    const { client, namespace, name } = this.#parts;
    const found = await client.get(LEASES, namespace, name).catch((error: unknown) => {
      if (isAbsent(error)) return undefined;
      throw error;
    });
    if (found) this.#keep(found);
    else this.#lease = undefined;
  }

  #keep(lease: Lease): void {
    if (lease.metadata.resourceVersion !== this.#lease?.metadata.resourceVersion) {
      this.#changedAt = this.#parts.clock.monotonic();
    }
    this.#lease = lease;
  }

  #create(spec: LeaseSpec): Promise<KubeObject> {
    const { namespace, name } = this.#parts;
    const lease: Lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace, name, ...this.#about() },
      spec,
    };
    return this.#parts.client.create(LEASES, lease);
  }

  #write({ metadata }: Lease, spec: LeaseSpec): Promise<KubeObject> {
    const { namespace, name } = this.#parts;
    const { uid = '', resourceVersion = '' } = metadata;
    const target = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace, name, uid, resourceVersion };
    return this.#parts.client.mergePatch(LEASES, {
      ...target,
      body: { ...(this.#parts.version !== undefined && { metadata: this.#about() }), spec },
    });
  }

  #about() {
    const { version } = this.#parts;
    return version === undefined ? {} : { annotations: { [ANNOTATION.version]: version } };
  }
}
