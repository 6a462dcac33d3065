// The facts about one host right now, derived once from what is observed; phase, books and steps all read them.
import { identityOf } from '@gantry/contract/identity.ts';
import type { GpuHost, GpuHostReason, GpuHostStatus } from '@gantry/contract/kinds/gpu-host.ts';
import type { Args } from '@gantry/contract/said.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { isReady } from '@gantry/kube/placement.ts';
import { creditOf } from '../../credit.ts';
import type { Context } from '../../define-controller.ts';
import type { Lease } from '../../resources.ts';
import { gpusOf, isUsable } from './candidates.ts';
import { type HostSettings, isMarked, markedAt } from './desired.ts';
import type { HostSeen, Tenant } from './reads.ts';
import { type Rental, renewals, rentalOf } from './rental.ts';

/** A node that a Lease says is this host's. */
export interface Held {
  name: string;
  lease: Lease;
  /** Absent: the node is gone from the cluster. */
  node: Node | undefined;
  /** It is in the status: the tenant knows it, and may have used it. */
  isJoined: boolean;
  /** It may join: marked, long enough for others to show, and nobody else is there. */
  isConfirmed: boolean;
  tenants: readonly Tenant[];
}

export interface Trouble {
  reason: GpuHostReason;
  args: Args;
}

export interface Facts {
  owner: GpuHost;
  uid: string;
  status: GpuHostStatus;
  seen: HostSeen;
  now: Instant;
  settings: HostSettings;
  deleting: boolean;
  /** Why nothing that costs may be taken. */
  unpaid: Trouble | undefined;
  /** It was active before. */
  started: boolean;
  /** The part of spec.months that counts: more only count with credit for them. */
  countedMonths: number;
  renewedMonths: number;
  rental: Rental | undefined;
  /** Nothing is held any more: deleted, or expired beyond its grace period. */
  ending: boolean;
  held: readonly Held[];
  /** Nodes to claim now: its own whose Lease was lost, then free ones. */
  toClaim: readonly string[];
  /** How many nodes are still to be claimed. */
  missing: number;
  /** Held nodes that are to be given back. */
  going: readonly Held[];
  trouble: Trouble | undefined;
}

/** Whatever the scheduler bound to a node before it saw the taint shows within this time. */
const SETTLE_MS = 2000;

export function factsOf(owner: GpuHost, seen: HostSeen, context: Context<HostSettings>): Facts {
  const { now, settings, refusals } = context;
  const status = owner.status ?? {};
  const uid = identityOf(owner);
  const deleting = owner.metadata.deletionTimestamp !== undefined;
  const unpaid = creditOf(owner, settings.creditGate, now).trouble;
  const held = heldBy(owner, seen, now, settings);
  const countedMonths = unpaid ? (status.countedMonths ?? 1) : coveredMonths(owner, settings);
  const renewedMonths =
    owner.spec.autoRenew && !unpaid && !deleting && held.length > 0
      ? renewals(owner, countedMonths, now)
      : (status.renewedMonths ?? 0);
  const rental = rentalOf(owner, countedMonths + renewedMonths, now);
  const ending = deleting || status.returnedAt !== undefined || rental?.isGraceOver === true;
  const base = {
    owner,
    uid,
    status,
    seen,
    now,
    settings,
    deleting,
    unpaid,
    started: status.startedAt !== undefined,
    countedMonths,
    renewedMonths,
    rental,
    ending,
    held,
    trouble: refusedIn(refusals),
  };
  const claims = claimsOf(base, refusals);
  return { ...base, ...claims, going: goingOf(base, claims) };
}

/** None that counted is lost. */
function coveredMonths({ spec, status }: GpuHost, { creditGate }: HostSettings): number {
  const covered = creditGate === 'off' ? undefined : status?.credit?.months;
  if (covered === undefined) return spec.months;
  return Math.min(spec.months, Math.max(status?.countedMonths ?? 1, covered));
}

type Base = Omit<Facts, 'toClaim' | 'missing' | 'going'>;

function heldBy(owner: GpuHost, seen: HostSeen, now: Instant, settings: HostSettings): Held[] {
  const uid = identityOf(owner);
  const joined = new Set((owner.status?.nodes ?? []).map(({ name }) => name));
  const held = seen.claims.own.map((lease): Held => {
    const { name } = lease.metadata;
    const node = seen.nodes.find((one) => one.metadata.name === name);
    const tenants = seen.tenants.filter((tenant) => tenant.node === name);
    const isSettled = node && isMarked(node, uid, settings.hostTaintKey) && settlesAt(node, uid) <= now;
    const isConfirmed = isSettled === true && isUsable(node) && tenants.length === 0;
    return { name, lease, node, isJoined: joined.has(name), isConfirmed, tenants };
  });
  return held.sort((a, b) => Number(b.isJoined) - Number(a.isJoined) || (a.name < b.name ? -1 : 1));
}

export const settlesAt = (node: Node, uid: string): Instant => markedAt(node, uid) + SETTLE_MS;

function claimsOf(f: Base, refusals: readonly Refusal[]): Pick<Facts, 'toClaim' | 'missing'> {
  const { owner, seen, held, ending, rental, started, unpaid } = f;
  if (ending || rental?.isExpired) return { toClaim: [], missing: 0 };
  const refused = new Set(refusals.filter(({ kind }) => kind === 'Lease').map(({ name }) => name));
  const exists = (name: string) => seen.nodes.some(({ metadata }) => metadata.name === name);
  // Its Lease was taken away by hand: whatever it had it keeps, unless somebody was faster.
  const own = (owner.status?.nodes ?? [])
    .map(({ name }) => name)
    .filter((name) => exists(name) && !seen.claims.others.includes(name) && !held.some((one) => one.name === name))
    .filter((name) => !refused.has(name));
  const kept = held.filter(({ node }) => node !== undefined);
  const missing = Math.max(0, owner.spec.nodes - kept.length - own.length);
  const choices = (seen.room?.choices ?? []).filter((name) => !refused.has(name) && !own.includes(name));
  const free = !unpaid && !seen.excess && (choices.length >= missing || started) ? choices.slice(0, missing) : [];
  return { toClaim: [...own, ...free], missing: missing - free.length };
}

/** A node that has not joined yet goes back if it turns out unfit, or if not all that are needed are available. */
function goingOf({ held, ending, owner, started }: Base, { missing }: Pick<Facts, 'missing'>): Held[] {
  if (ending) return [...held];
  const isShort = !started && missing > 0;
  return held.filter(
    (one, index) => one.node === undefined || (!one.isJoined && (isShort || index >= owner.spec.nodes || isUnfit(one))),
  );
}

const isUnfit = ({ node, tenants }: Held): boolean =>
  node === undefined || !isUsable(node) || tenants.some(({ isFill }) => !isFill);

/** Held, and not on its way back: what the host consists of. */
export const staying = ({ held, going }: Facts): readonly Held[] => held.filter((one) => !going.includes(one));

/** Cards that the node offers now. */
export const cardsOf = ({ node }: Held): number => (node ? gpusOf(node) : 0);
export const answers = ({ node }: Held): boolean => node !== undefined && isReady(node);

const MOST_DETAIL = 1000;

/** Losing a node to somebody else is no trouble: there are others, or the message gives their number. */
function refusedIn(refusals: readonly Refusal[]): Trouble | undefined {
  const refusal = refusals.find(({ reason }) => reason !== 'AlreadyExists');
  return refusal && { reason: 'Refused', args: { detail: refusal.message.slice(0, MOST_DETAIL) } };
}
