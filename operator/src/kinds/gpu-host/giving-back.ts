// How a node returns to the pool: no container of the tenant, no home that only it can reach, nothing of the organisation in its
// image store; then label and taint go, and the Lease last of all, so that nobody takes it earlier. Data disks stay where they
// are.
import { ANNOTATION } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import type { Patch, Removal } from '@gantry/kube/resource.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { instant } from '../../metering.ts';
import { hostnameOf, type Lease } from '../../resources.ts';
import { isTouched, isWipeAsked, markedAt, unmarked, wipeAsked, wipeUnasked } from './desired.ts';
import type { Facts, Held, Trouble } from './facts.ts';
import type { Remains } from './reads.ts';

export interface Step {
  patch: Patch[];
  remove: Removal[];
  /** Why it cannot be returned yet. */
  waits?: Trouble;
}

const wait = (reason: Trouble['reason'], args: Record<string, string>, patch: Patch[] = []): Step => ({
  patch,
  remove: [],
  waits: { reason, args },
});

/** The next step for one node. */
export function givenBack(f: Facts, held: Held): Step {
  const { lease, node } = held;
  if (!node) return { patch: [], remove: [targetOf(lease)] };
  return (held.isJoined ? cleaned(f, held, node) : undefined) ?? unclaimed(f.uid, lease, node);
}

/** Label and taint first, then the Lease. */
function unclaimed(uid: string, lease: Lease | undefined, node: Node | undefined): Step {
  if (node && isTouched(node, uid)) return { patch: [unmarked(node, uid)], remove: [] };
  return { patch: [], remove: lease && lease.metadata.deletionTimestamp === undefined ? [targetOf(lease)] : [] };
}

/** The next action, or the reason to wait, before others may use the node. */
function cleaned({ seen, owner }: Facts, { name, lease, tenants }: Held, node: Node): Step | undefined {
  // An answer is about the state when it was given.
  const unasked = isWipeAsked(lease) ? [wipeUnasked(lease)] : [];
  if (tenants.length > 0) return wait('InstancesLeft', { names: some(tenants.map((tenant) => tenant.name)) }, unasked);
  const tied = seen.volumes.filter(({ hostnames }) => hostnames.includes(hostnameOf(node))).map(({ claim }) => claim);
  // Without an agent nobody can move a home: as everywhere else it stays, for its instance to find.
  if (tied.length > 0 && seen.agents.includes(name))
    return wait('WaitsForDisks', { node: name, disks: some(tied) }, unasked);
  if (!seen.agents.includes(name)) return undefined;
  const { [ANNOTATION.wipe]: asked, [ANNOTATION.wiped]: answered } = lease.metadata.annotations ?? {};
  const namespace = owner.metadata.namespace ?? '';
  if (asked !== namespace) return wait('Wiping', { node: name }, [wipeAsked(lease, namespace)]);
  return answered === undefined ? wait('Wiping', { node: name }) : undefined;
}

/** A claim is taken for forgotten only when it is older: its host may be so new that no cache has it yet. */
const FORGOTTEN_MS = 60_000;

/** When the remains of a host that is no more may be cleared away. */
export const forgottenAt = ({ lease, node, uid }: Remains): Instant =>
  FORGOTTEN_MS + (lease ? (instant(lease.metadata.creationTimestamp) ?? 0) : node ? markedAt(node, uid) : 0);

/** The next step for what a force-deleted host left: as far as it can be known, what its own end would have done. */
export function cleared({ uid, lease, node, isUsed, hasAgent }: Remains): Step {
  const {
    [ANNOTATION.host]: host = '',
    [ANNOTATION.wipe]: asked,
    [ANNOTATION.wiped]: answered,
  } = lease?.metadata.annotations ?? {};
  const [namespace = ''] = host.split('/');
  if (isUsed) return { patch: [], remove: [] };
  if (lease && node && hasAgent && namespace !== '') {
    if (asked !== namespace) return { patch: [wipeAsked(lease, namespace)], remove: [] };
    if (answered === undefined) return { patch: [], remove: [] };
  }
  return unclaimed(uid, lease, node);
}

const MOST_NAMED = 8;
const some = (names: readonly string[]): string =>
  names.length > MOST_NAMED ? `${names.slice(0, MOST_NAMED).join(', ')}, …` : names.join(', ');
