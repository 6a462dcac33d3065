// Enforces NetworkPolicies on the real nodes of a bare-machine cluster, with ipset and iptables inside each node's
// network namespace: a routed network alone lets everything through.
// usage: enforcer.ts <cluster>
import { existsSync, statSync } from 'node:fs';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { KubernetesObject, V1Namespace, V1Pod } from '@kubernetes/client-node';
import { KeyedQueue } from '../keyed-queue.ts';
import { type Layout, layout, MAX_NODES, type NodeLayout } from '../layout.ts';
import { run } from '../run.ts';
import { watchObjects } from '../watch-objects.ts';
import { type PacketFilter, renderRules, renderSets, staleSets } from './packet-filter.ts';
import { type NetworkPolicy, planPacketFilter } from './plan-packet-filter.ts';

/** The state last applied to a node's kernel, as text. */
interface Applied {
  /** Another inode is another namespace of the same name, which knows nothing. */
  readonly netnsInode: number;
  readonly sets: ReadonlyMap<string, string>;
  readonly rules: string;
}

async function enforce(cluster: Layout): Promise<void> {
  const nodes = new Map(cluster.nodes.map((node) => [node.name, node]));
  const applied = new Map<string, Applied>();
  const queue = new KeyedQueue({
    workers: nodes.size,
    work: async (name) => {
      const node = nodes.get(name);
      if (!node || !existsSync(node.netnsPath)) return;
      const { filter, notEnforced } = planPacketFilter(name, {
        policies: [...policies.values()],
        namespaces: [...namespaces.values()],
        pods: [...[...pods.values()].filter(isOnRealNode), platformOn(cluster)],
      });
      for (const sentence of notEnforced) sayOnce(sentence);
      const before = applied.get(name);
      applied.delete(name);
      applied.set(name, await tell(node, filter, before));
    },
    failed: (name, error) => console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`),
    lastRetryMs: 1000,
  });
  // Updates all nodes: an address that came or went may be a peer on any of them.
  const changed = () => {
    for (const name of nodes.keys()) queue.add(name);
  };
  const isOnRealNode = ({ spec }: V1Pod) => nodes.has(spec?.nodeName ?? '');
  const podChanged = (_: string, pod: V1Pod) => {
    if (isOnRealNode(pod)) changed();
  };
  const [policies, namespaces, pods] = await Promise.all([
    watchObjects<NetworkPolicy>(cluster, '/apis/networking.k8s.io/v1/networkpolicies', { keyOf: uidOf, changed }),
    watchObjects<V1Namespace>(cluster, '/api/v1/namespaces', { keyOf: uidOf, changed }),
    watchObjects<V1Pod>(cluster, '/api/v1/pods', { keyOf: uidOf, changed: podChanged }),
  ]);
  queue.start();
}

/** The platform's own processes run on the host, not in Pods: its address is theirs, and the gateway reaches services from there. */
const platformOn = ({ bridge }: Layout): V1Pod => ({
  metadata: { namespace: PLATFORM_NAMESPACE, name: 'host' },
  status: { podIP: bridge.ip },
});

const uidOf = ({ metadata }: KubernetesObject) => metadata?.uid ?? '';

const said = new Set<string>();
function sayOnce(sentence: string): void {
  if (said.has(sentence)) return;
  said.add(sentence);
  console.error(`not enforced: ${sentence}`);
}

/** Sets before the rules that need them, and stale ones after the rules that needed them. */
async function tell({ netnsPath }: NodeLayout, filter: PacketFilter, before: Applied | undefined): Promise<Applied> {
  const inside = { netnsPath };
  const netnsInode = statSync(netnsPath).ino;
  const known = before?.netnsInode === netnsInode ? before : undefined;

  const sets = new Map([...filter.sets].map((entry) => [entry[0], renderSets([entry])]));
  const changedSets = [...sets].filter(([name, text]) => known?.sets.get(name) !== text).map(([, text]) => text);
  if (changedSets.length > 0) await run('ipset', ['restore'], { ...inside, input: changedSets.join('') });

  const rules = renderRules(filter);
  if (known?.rules !== rules) {
    await run('iptables-restore', ['--wait', '--noflush'], { ...inside, input: rules });
    const present = (await run('ipset', ['list', '-name'], inside)).split('\n');
    const input = staleSets(present, filter)
      .map((name) => `destroy ${name}\n`)
      .join('');
    if (input) await run('ipset', ['restore'], { ...inside, input });
  }
  return { netnsInode, sets, rules };
}

await enforce(layout(process.argv[2] ?? '', MAX_NODES));
