// From NetworkPolicies, Namespaces and Pods to one node's packet filter. Pure. Rules that the filter cannot express stay closed
// and are reported: IPv6 peers, named ports, and protocols other than TCP and UDP.
import type {
  V1Namespace,
  V1NetworkPolicy,
  V1NetworkPolicyPeer,
  V1NetworkPolicyPort,
  V1NetworkPolicySpec,
  V1Pod,
} from '@kubernetes/client-node';
import { AddressBook, type Side } from './address-book.ts';
import { type Direction, isolatedSet, type PacketFilter } from './packet-filter.ts';

/** As it is on the wire: the client's own type calls `from` `_from`. */
export type NetworkPolicy = Omit<V1NetworkPolicy, 'spec'> & {
  readonly spec?: Omit<V1NetworkPolicySpec, 'ingress'> & {
    readonly ingress?: readonly { readonly from?: V1NetworkPolicyPeer[]; readonly ports?: V1NetworkPolicyPort[] }[];
  };
};

export interface ClusterView {
  readonly policies: readonly NetworkPolicy[];
  readonly namespaces: readonly V1Namespace[];
  /** Pods on real nodes: no packet comes from or goes to any other. */
  readonly pods: readonly V1Pod[];
}

export interface PacketFilterPlan {
  readonly filter: PacketFilter;
  readonly notEnforced: readonly string[];
}

interface Rule {
  /** Never empty here: an empty list of peers means anybody. */
  readonly peers: readonly V1NetworkPolicyPeer[];
  /** Empty for every port. */
  readonly ports: readonly V1NetworkPolicyPort[];
}

const DIRECTIONS = ['egress', 'ingress'] as const;
const KUBERNETES_NAME: Readonly<Record<Direction, string>> = { egress: 'Egress', ingress: 'Ingress' };
/** Which side of a packet is the isolated Pod's, and which its peer's. */
const SIDES: Readonly<Record<Direction, { own: Side; peer: Side }>> = {
  egress: { own: 'src', peer: 'dst' },
  ingress: { own: 'dst', peer: 'src' },
};
const ANYBODY: V1NetworkPolicyPeer = { ipBlock: { cidr: '0.0.0.0/0' } };

export function planPacketFilter(node: string, { policies, namespaces, pods }: ClusterView): PacketFilterPlan {
  const book = new AddressBook(namespaces, pods);
  const rules: Record<Direction, string[]> = { egress: [], ingress: [] };
  const isolated: Record<Direction, Set<string>> = { egress: new Set(), ingress: new Set() };
  const notEnforced: string[] = [];

  for (const policy of policies) {
    const { name, namespace = '' } = policy.metadata ?? {};
    const podSelector = policy.spec?.podSelector ?? {};
    const selected = book.selected(node, namespace, podSelector);
    if (selected.length === 0) continue;
    for (const direction of directionsOf(policy)) {
      for (const address of selected) isolated[direction].add(address);
      const own = book.matchSelected(node, namespace, podSelector, SIDES[direction].own);
      for (const rule of rulesOf(policy, direction)) {
        const { peers, unsaid } = sayable(rule);
        if (unsaid) notEnforced.push(`${namespace}/${name}: ${unsaid}`);
        rules[direction].push(
          ...matchRule(peers, rule.ports, (peer) => book.matchPeer(namespace, peer, SIDES[direction].peer), own),
        );
      }
    }
  }

  const sets = new Map(book.sets);
  for (const direction of DIRECTIONS) {
    sets.set(isolatedSet(direction), { type: 'hash:ip', members: [...isolated[direction]].toSorted() });
  }
  return { filter: { sets, rules }, notEnforced };
}

/** One line for each pair of peer and port. */
function matchRule(
  peers: Rule['peers'],
  ports: Rule['ports'],
  matchPeer: (peer: V1NetworkPolicyPeer) => string,
  own: string,
): string[] {
  return peers.flatMap((peer) =>
    (ports.length > 0 ? ports.map(matchPort) : ['']).map((port) =>
      [own, matchPeer(peer), port].filter((words) => words !== '').join(' '),
    ),
  );
}

function matchPort({ port, endPort, protocol = 'TCP' }: V1NetworkPolicyPort): string {
  const name = protocol.toLowerCase();
  if (port === undefined) return `-p ${name}`;
  return `-p ${name} -m ${name} --dport ${endPort === undefined ? port : `${port}:${endPort}`}`;
}

/** With the API server's defaults, for objects that did not pass through one. */
function directionsOf({ spec }: NetworkPolicy): Direction[] {
  const types = spec?.policyTypes ?? (spec?.egress ? ['Egress', 'Ingress'] : ['Ingress']);
  return DIRECTIONS.filter((direction) => types.includes(KUBERNETES_NAME[direction]));
}

function rulesOf({ spec }: NetworkPolicy, direction: Direction): Rule[] {
  const named =
    direction === 'egress'
      ? (spec?.egress ?? []).map(({ to = [], ports = [] }) => ({ peers: to, ports }))
      : (spec?.ingress ?? []).map(({ from = [], ports = [] }) => ({ peers: from, ports }));
  return named.map(({ peers, ports }) => ({ peers: peers.length > 0 ? peers : [ANYBODY], ports }));
}

/** Splits a rule into peers that the filter supports, and sentences about the unsupported rest. */
function sayable({ peers, ports }: Rule): { peers: Rule['peers']; unsaid?: string } {
  const why = ports.map(whyNot).find((reason) => reason !== undefined);
  if (why) return { peers: [], unsaid: `${why}; the rule stays closed` };
  const ipv6 = peers.filter(isIpv6).map(({ ipBlock }) => ipBlock?.cidr);
  if (ipv6.length === 0) return { peers };
  return {
    peers: peers.filter((peer) => !isIpv6(peer)),
    unsaid: `${ipv6.join(', ')} is IPv6, which these Pods do not have`,
  };
}

const isIpv6 = ({ ipBlock }: V1NetworkPolicyPeer): boolean => ipBlock?.cidr.includes(':') ?? false;

function whyNot({ port, protocol = 'TCP' }: V1NetworkPolicyPort): string | undefined {
  if (protocol !== 'TCP' && protocol !== 'UDP') return `protocol ${protocol}`;
  // It may stand for another number in every Pod.
  return typeof port === 'string' ? `port "${port}" by name` : undefined;
}
