// Keeps and writes the status of alert policies. Nobody else writes it: the operator has nothing to make of a policy, so the gateway that
// evaluates it says what became of it.
import { isOver } from '@gantry/contract/alerts/is-evaluated.ts';
import { type AlertPolicy, alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { pause } from '@gantry/kube/clock.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { Platform } from '../../platform/open.ts';
import { DueStatuses } from './due-statuses.ts';
import type { Verdict } from './evaluator.ts';
import type { Mailboxes } from './mailboxes.ts';
import type { DeliveryFailure } from './notifier.ts';
import { deliveryAfter, type Facts, nextStatus, staleMs } from './policy-status.ts';
import type { WatchedObjects } from './watched-objects.ts';

const STATUS_MS = 2_000;
/** How soon a policy says that an address has confirmed, or left. */
const UNREACHABLE_MS = 10_000;
/** Facts of a policy that nobody has evaluated or told of yet. */
const UNKNOWN: Omit<Facts, 'missing'> = {
  verdict: undefined,
  firing: 0,
  evaluatedAt: undefined,
  delivery: new Map(),
};

export class PolicyStatuses {
  readonly #platform: Pick<Platform, 'clock' | 'log'>;
  readonly #cluster: Pick<Cluster, 'client' | 'cache'>;
  readonly #objects: WatchedObjects;
  readonly #mailboxes: Pick<Mailboxes, 'unreachable'>;
  readonly #known = new Map<string, Omit<Facts, 'missing'>>();
  readonly #due = new DueStatuses();
  /** Whom policies name and no mail reaches; undefined: not known yet. */
  #unreachable: ReadonlySet<string> | undefined;
  #unreachableAt = Number.NEGATIVE_INFINITY;

  constructor(
    platform: Pick<Platform, 'clock' | 'log'>,
    cluster: Pick<Cluster, 'client' | 'cache'>,
    objects: WatchedObjects,
    mailboxes: Pick<Mailboxes, 'unreachable'>,
  ) {
    this.#platform = platform;
    this.#cluster = cluster;
    this.#objects = objects;
    this.#mailboxes = mailboxes;
    cluster.cache.on(({ namespace, before, after }) => {
      if (!before !== !after) this.#due.moved(namespace);
    });
  }

  evaluated(policy: AlertPolicy, verdict: Verdict, firing: number, at: number): void {
    const uid = policy.metadata.uid ?? '';
    const known = this.#known.get(uid);
    if (known?.firing === firing && isSame(known.verdict, verdict)) {
      known.evaluatedAt = at;
      return;
    }
    this.#known.set(uid, { ...(known ?? UNKNOWN), verdict, firing, evaluatedAt: at });
    this.#due.heard(uid);
  }

  delivered(policy: AlertPolicy, channel: string, failure?: DeliveryFailure): void {
    const uid = policy.metadata.uid ?? '';
    const known = this.#known.get(uid) ?? UNKNOWN;
    this.#known.set(uid, { ...known, delivery: deliveryAfter(policy, known.delivery, channel, failure) });
    this.#due.heard(uid);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#platform;
    while (!signal.aborted) {
      const now = clock.now();
      this.#forgetGone();
      await this.#lookForUnreachable(now).catch((error: unknown) =>
        log.warn({ err: error }, 'addresses are looked at again'),
      );
      for (const policy of this.#objects.policies()) {
        const status = this.#statusOf(policy, now);
        if (status)
          await writeStatus(this.#cluster, policy, status).catch((error: unknown) =>
            log.warn({ err: error, policy: policy.metadata.uid }, 'the state of a policy was not written'),
          );
        if (signal.aborted) return;
      }
      await pause(clock, STATUS_MS, signal);
    }
  }

  /** The status to write for a policy now, if any. */
  #statusOf(policy: AlertPolicy, now: number) {
    const known = this.#known.get(policy.metadata.uid ?? '');
    if (!known && policy.spec.state === 'Enabled' && !isOver(policy, now)) return undefined;
    if (!this.#due.isDue(policy, known ?? UNKNOWN, now)) return undefined;
    const missing = this.#objects.missing(policy);
    const facts = { ...(known ?? UNKNOWN), missing, unreachable: this.#unreachableOf(policy) };
    const stale = staleMs(this.#objects.policies().length);
    const status = nextStatus(policy, facts, now, stale);
    if (!status) this.#due.isRight(policy, now, stale);
    return status;
  }

  #unreachableOf(policy: AlertPolicy): string[] | undefined {
    const unreachable = this.#unreachable;
    return (
      unreachable &&
      mailAddresses(policy).flatMap(({ organizationId, address }) =>
        unreachable.has(`${organizationId} ${address}`) ? [address] : [],
      )
    );
  }

  async #lookForUnreachable(now: number): Promise<void> {
    if (now - this.#unreachableAt < UNREACHABLE_MS) return;
    const policies = this.#objects.policies();
    const next = await this.#mailboxes.unreachable(policies.flatMap((policy) => mailAddresses(policy)));
    this.#unreachableAt = now;
    const before = this.#unreachable;
    this.#unreachable = next;
    for (const policy of this.#objects.policies()) {
      const keys = mailAddresses(policy).map(({ organizationId, address }) => `${organizationId} ${address}`);
      if (keys.some((key) => before === undefined || before.has(key) !== next.has(key)))
        this.#due.heard(policy.metadata.uid ?? '');
    }
  }

  #forgetGone(): void {
    const exists = (uid: string) => this.#objects.byUid().has(uid);
    for (const uid of this.#known.keys()) if (!exists(uid)) this.#known.delete(uid);
    this.#due.forget(exists);
  }
}

const isSame = (one: Verdict | undefined, other: Verdict): boolean =>
  one?.said === other.said && detailOf(one) === detailOf(other);
const detailOf = (verdict: Verdict): string | undefined => ('detail' in verdict ? verdict.detail : undefined);

async function writeStatus(
  { client, cache }: Pick<Cluster, 'client' | 'cache'>,
  policy: AlertPolicy,
  status: object,
): Promise<void> {
  const patch = { ...targetOf(policy), body: { status } };
  cache.observe(await client.mergePatch(resourceOf(alertPolicy), patch, 'status'));
}

/** Those that its channels name, in lower case. */
function mailAddresses({ spec, metadata }: AlertPolicy): { organizationId: string; address: string }[] {
  const organizationId = organizationOf(metadata.namespace ?? '') ?? '';
  return spec.channels.flatMap(({ type, to }) =>
    type === 'Mail' && to !== undefined ? [{ organizationId, address: to.toLowerCase() }] : [],
  );
}
