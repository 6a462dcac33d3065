// One node's packet filter: sets of addresses, and rules that refer to them.
import { createHash } from 'node:crypto';

export interface AddressSet {
  readonly type: 'hash:ip' | 'hash:net';
  readonly members: readonly string[];
}

export interface PacketFilter {
  readonly sets: ReadonlyMap<string, AddressSet>;
  /** Per direction, the traffic allowed for Pods that a policy isolates. */
  readonly rules: Readonly<Record<Direction, readonly string[]>>;
}

export type Direction = 'egress' | 'ingress';

const PREFIX = 'gantry-';
const CHAIN: Readonly<Record<Direction, string>> = { egress: 'GANTRY-EGRESS', ingress: 'GANTRY-INGRESS' };
const ENTRY = 'GANTRY-POLICY';

/** The Pods of this node whose traffic in that direction needs a rule that allows it. */
export const isolatedSet = (direction: Direction) => `${PREFIX}${direction}`;

/** A kernel's set name has at most 31 characters, so it is made of a hash of what the set means. */
export const setName = (meaning: string) => PREFIX + createHash('sha256').update(meaning).digest('hex').slice(0, 16);

/**
 * In table mangle, whose FORWARD comes before filter's: there, kube-proxy accepts what it marked itself. A packet for a Service
 * already has its Pod's address, because kube-proxy rewrote it in PREROUTING.
 */
export function renderRules({ rules }: PacketFilter): string {
  const isolate = (direction: Direction, side: 'src' | 'dst') =>
    `-A ${ENTRY} -m set --match-set ${isolatedSet(direction)} ${side} -j ${CHAIN[direction]}`;
  // RETURN allows: the packet goes on to the next question. What no rule returned is dropped.
  const chain = (direction: Direction) => [
    ...rules[direction].map((rule) => `-A ${CHAIN[direction]} ${rule} -j RETURN`),
    `-A ${CHAIN[direction]} -j DROP`,
  ];
  return [
    '*mangle',
    ...[ENTRY, CHAIN.egress, CHAIN.ingress].map((name) => `:${name} - [0:0]`),
    // Nobody else writes these two in a node's namespace. INPUT is the way to the node itself.
    ...['FORWARD', 'INPUT'].flatMap((builtIn) => [`-F ${builtIn}`, `-A ${builtIn} -j ${ENTRY}`]),
    // An answer: also to the kubelet's probes, and over a change of policy, as everywhere.
    `-A ${ENTRY} -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN`,
    isolate('egress', 'src'),
    isolate('ingress', 'dst'),
    ...chain('egress'),
    ...chain('ingress'),
    'COMMIT',
    '',
  ].join('\n');
}

/** Replaces each set as a whole, so that no packet ever meets half of one. */
export function renderSets(sets: Iterable<readonly [name: string, AddressSet]>): string {
  return [...sets]
    .flatMap(([name, { type, members }]) => {
      const next = `${PREFIX}next-${type}`;
      return [
        `create ${name} ${type} -exist`,
        // A killed run may have left it, and something in it.
        `create ${next} ${type} -exist`,
        `flush ${next}`,
        ...members.map((member) => `add ${next} ${member} -exist`),
        `swap ${next} ${name}`,
        `destroy ${next}`,
      ];
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** Our existing sets that no rule needs any more. */
export const staleSets = (present: readonly string[], { sets }: PacketFilter) =>
  present.filter((name) => name.startsWith(PREFIX) && !sets.has(name));
