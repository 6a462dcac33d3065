// Which addresses a policy speaks of, as sets for the kernel. A set is made when a rule first refers to it.
import type { V1LabelSelector, V1Namespace, V1NetworkPolicyPeer, V1Pod } from '@kubernetes/client-node';
import { matches } from './label-selector.ts';
import { type AddressSet, setName } from './packet-filter.ts';

export type Side = 'src' | 'dst';

const ANYWHERE = '0.0.0.0/0';

export class AddressBook {
  readonly sets = new Map<string, AddressSet>();
  readonly #pods: readonly V1Pod[];
  readonly #namespaceLabels: ReadonlyMap<string, Readonly<Record<string, string>>>;

  constructor(namespaces: readonly V1Namespace[], pods: readonly V1Pod[]) {
    this.#pods = pods.filter(hasAddress);
    this.#namespaceLabels = new Map(namespaces.map(({ metadata }) => [metadata?.name ?? '', metadata?.labels ?? {}]));
  }

  /** Addresses of the Pods that a policy is about, on the node whose kernel decides for them. */
  selected(node: string, namespace: string, podSelector: V1LabelSelector): string[] {
    return this.#addresses(
      ({ metadata, spec }) =>
        spec?.nodeName === node && metadata?.namespace === namespace && matches(podSelector, metadata.labels),
    );
  }

  /** iptables' words for "this side of the packet is that Pod of ours". */
  matchSelected(node: string, namespace: string, podSelector: V1LabelSelector, side: Side): string {
    const members = this.selected(node, namespace, podSelector);
    return `-m set --match-set ${this.#define('hash:ip', { node, namespace, podSelector }, members)} ${side}`;
  }

  /** iptables' words for "this side of the packet is such a peer"; none for anybody. */
  matchPeer(
    namespace: string,
    { ipBlock, namespaceSelector, podSelector = {} }: V1NetworkPolicyPeer,
    side: Side,
  ): string {
    if (ipBlock) return this.#matchBlock(ipBlock.cidr, ipBlock.except ?? [], side);
    const isIn = namespaceSelector
      ? (name: string) => matches(namespaceSelector, this.#namespaceLabels.get(name))
      : (name: string) => name === namespace;
    const members = this.#addresses(
      ({ metadata }) => isIn(metadata?.namespace ?? '') && matches(podSelector, metadata?.labels),
    );
    const meaning = { in: namespaceSelector ?? namespace, podSelector };
    return `-m set --match-set ${this.#define('hash:ip', meaning, members)} ${side}`;
  }

  #matchBlock(cidr: string, except: readonly string[], side: Side): string {
    const words: string[] = [];
    if (cidr !== ANYWHERE) words.push(side === 'src' ? '-s' : '-d', cidr);
    if (except.length > 0) words.push('-m set ! --match-set', this.#define('hash:net', except, except), side);
    return words.join(' ');
  }

  #define(type: AddressSet['type'], meaning: unknown, members: readonly string[]): string {
    const name = setName(JSON.stringify([type, meaning]));
    this.sets.set(name, { type, members });
    return name;
  }

  #addresses(wanted: (pod: V1Pod) => boolean): string[] {
    return this.#pods
      .filter(wanted)
      .map(({ status }) => status?.podIP ?? '')
      .toSorted();
  }
}

/** A finished Pod's address may belong to another Pod by now; a Pod on the host's network has none. */
const hasAddress = ({ spec, status }: V1Pod) =>
  Boolean(status?.podIP) && !spec?.hostNetwork && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
