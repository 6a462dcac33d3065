// The cluster's wires: a bridge on the host, and per real node a network namespace joined to it by a veth pair, because
// two kube-proxies in one namespace would rewrite each other's chains. Pods are routed, never bridged (CNI `ptp`): so
// every packet between two Pods passes the node's FORWARD chain, where the network policies are enforced.
import { existsSync } from 'node:fs';
import { readdir, readFile, rmdir } from 'node:fs/promises';
import type { Layout, NodeLayout } from './layout.ts';
import { run, succeeds } from './run.ts';

const PREFIX = 24;

export async function makeNetwork(cluster: Layout): Promise<void> {
  await makeBridge(cluster);
  await Promise.all(cluster.nodes.map((node) => joinNode(cluster, node)));
  await makeRoutes(cluster);
  await addRules(cluster);
}

async function makeBridge({ bridge }: Layout): Promise<void> {
  const route = await run('ip', ['-o', 'route', 'show', 'exact', bridge.cidr]);
  if (route !== '' && !route.includes(`dev ${bridge.device} `)) {
    throw new Error(`${bridge.cidr} is in use already (${route.trim()}); choose another cluster name`);
  }
  if (!hasLink(bridge.device)) await run('ip', ['link', 'add', bridge.device, 'type', 'bridge']);
  await run('ip', ['address', 'replace', `${bridge.ip}/${PREFIX}`, 'dev', bridge.device]);
  await run('ip', ['link', 'set', bridge.device, 'up']);
}

async function joinNode(cluster: Layout, node: NodeLayout): Promise<void> {
  if (!existsSync(node.netnsPath)) await run('ip', ['netns', 'add', node.netns]);
  const inside = { netnsPath: node.netnsPath };
  if (!(await succeeds('ip', ['link', 'show', 'eth0'], inside))) {
    // A half-made pair has its other end on the host still.
    if (hasLink(node.veth)) await run('ip', ['link', 'delete', node.veth]);
    await run('ip', ['link', 'add', node.veth, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', node.netns]);
  }
  await run('ip', ['link', 'set', node.veth, 'master', cluster.bridge.device, 'up']);
  await run('ip', ['address', 'replace', `${node.ip}/${PREFIX}`, 'dev', 'eth0'], inside);
  for (const device of ['lo', 'eth0']) await run('ip', ['link', 'set', device, 'up'], inside);
  await run('ip', ['route', 'replace', 'default', 'via', cluster.bridge.ip], inside);
  // /proc/sys/net belongs to the network namespace of the process that opens it.
  await run('sh', ['-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward'], inside);
  for (const other of cluster.nodes.filter(({ name }) => name !== node.name)) {
    await run('ip', ['route', 'replace', other.podCidr, 'via', other.ip], inside);
  }
}

/** The host reaches Pods through their node, and Services through any node's kube-proxy. */
async function makeRoutes({ nodes, bridge, podCidr, serviceCidr }: Layout): Promise<void> {
  // Packets for a Pod that no real node has must not leave the machine by its default route.
  await run('ip', ['route', 'replace', podCidr, 'dev', bridge.device]);
  for (const { podCidr, ip } of nodes) await run('ip', ['route', 'replace', podCidr, 'via', ip]);
  if (nodes[0]) await run('ip', ['route', 'replace', serviceCidr, 'via', nodes[0].ip]);
}

/** In the order in which they are to be asked; all of them before whatever the machine has. */
const rules = ({ bridge: { device, ip, cidr }, podCidr, ruleComment }: Layout): string[][] =>
  [
    // Nodes and Pods leave the machine behind its address, as behind any cloud's gateway.
    ...[cidr, podCidr].map((source) => ['nat', 'POSTROUTING', '-s', source, '!', '-o', device, '-j', 'MASQUERADE']),
    ['filter', 'FORWARD', '-i', device, '-j', 'ACCEPT'],
    ['filter', 'FORWARD', '-o', device, '-m', 'conntrack', '--ctstate', 'ESTABLISHED,RELATED', '-j', 'ACCEPT'],
    // Linux answers on any device for any address it has: API server and registry are this machine's alone.
    ['filter', 'FORWARD', '-o', device, '-j', 'DROP'],
    ['filter', 'INPUT', '-i', 'lo', '-d', ip, '-j', 'ACCEPT'],
    ['filter', 'INPUT', '!', '-i', device, '-d', ip, '-j', 'DROP'],
  ].map((rule) => [...rule, '-m', 'comment', '--comment', ruleComment]);

async function addRules(cluster: Layout): Promise<void> {
  const places = new Map<string, number>();
  for (const [table = '', chain = '', ...rule] of rules(cluster)) {
    const place = (places.get(chain) ?? 0) + 1;
    places.set(chain, place);
    if (await succeeds('iptables', ['-w', '-t', table, '-C', chain, ...rule])) continue;
    await run('iptables', ['-w', '-t', table, '-I', chain, String(place), ...rule]);
  }
}

/** `ip netns add` mounts this folder on itself for good. */
const NETNS_DIR = '/run/netns';

async function removeNetnsDir(): Promise<void> {
  const left = await readdir(NETNS_DIR).catch(() => undefined);
  if (left === undefined || left.length > 0) return;
  await run('umount', [NETNS_DIR]).catch(() => '');
  await rmdir(NETNS_DIR);
}

/** Removes everything that `makeNetwork` creates, and every rule with our comment. */
export async function removeNetwork(cluster: Layout): Promise<void> {
  for (const table of ['nat', 'filter', 'mangle', 'raw']) await removeCommentedRules(cluster.ruleComment, table);
  for (const node of cluster.nodes) {
    if (hasLink(node.veth)) await run('ip', ['link', 'delete', node.veth]);
    if (existsSync(node.netnsPath)) await run('ip', ['netns', 'delete', node.netns]);
  }
  // Routes through the bridge go with it.
  if (hasLink(cluster.bridge.device)) await run('ip', ['link', 'delete', cluster.bridge.device]);
  await removeNetnsDir();
}

async function removeCommentedRules(comment: string, table: string): Promise<void> {
  // A table that nobody used is not loaded; asking iptables for it would load it.
  if (!(await isTableInUse(table))) return;
  const saved = await run('iptables', ['-w', '-t', table, '-S']).catch(() => '');
  for (const line of saved.split('\n')) {
    const words = line.split(' ').map((word) => word.replaceAll('"', ''));
    if (words[0] !== '-A' || !words.includes(comment)) continue;
    await run('iptables', ['-w', '-t', table, '-D', ...words.slice(1)]);
  }
}

async function isTableInUse(table: string): Promise<boolean> {
  if (table === 'nat' || table === 'filter') return true;
  const legacy = await readFile('/proc/net/ip_tables_names', 'utf8').catch(() => '');
  return legacy.split('\n').includes(table);
}

const hasLink = (device: string) => existsSync(`/sys/class/net/${device}`);
