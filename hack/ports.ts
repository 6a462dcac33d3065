// Refuses to start beside a stranger: every port that a cluster wants is free, or held by the process it started.
import { readdir } from 'node:fs/promises';
import { type Layout, layout, STATE_ROOT } from './layout.ts';
import { listProcesses } from './process.ts';
import { Refused } from './refused.ts';
import { run } from './run.ts';

interface Wanted {
  readonly owner: string;
  readonly ip: string;
  readonly port: number;
}

type Owned = readonly [owner: string, ...ports: number[]];

const on = (ip: string, owners: readonly Owned[]): Wanted[] =>
  owners.flatMap(([owner, ...ports]) => ports.map((port) => ({ owner, ip, port })));

const wanted = ({ ports, bridge }: Layout): Wanted[] => [
  ...on('127.0.0.1', [
    ['etcd', ports.etcd, ports.etcdPeer],
    ['kube-controller-manager', ports.controllerManager],
    ['kube-scheduler', ports.scheduler],
    ['kwok', ports.kwok],
    ['kueue', ports.kueueHealth],
    ['operator', ports.operator],
    ['gateway', ports.gateway, ports.tenantWeb, ports.kubernetes, ports.admin, ports.portal, ports.gatewayMetrics],
    ['mail-sink', ports.mail],
    ['card-double', ports.payments],
    ['object-store', ports.objectStore],
    ['prometheus', ports.prometheus],
    ['gpu-exporter', ports.gpuExporter],
    ['node-exporter', ports.nodeExporter],
    ['kube-state-metrics', ports.kubeStateMetrics, ports.kubeStateTelemetry],
    ['lws', ports.groupsHealth],
  ]),
  ...on(bridge.ip, [
    ['kueue', ports.kueue],
    ['lws', ports.groups],
    ['kube-apiserver', 6443],
    ['registry-tokens', 5000],
    ['registry', 5001],
  ]),
];

export async function refuseTakenPorts(cluster: Layout): Promise<void> {
  const neighbours = await readdir(STATE_ROOT, { withFileTypes: true });
  for (const { name } of neighbours.filter((entry) => entry.isDirectory())) {
    if (name === cluster.name || layout(name).slot !== cluster.slot) continue;
    if (!(await listProcesses(layout(name))).some(({ alive }) => alive)) continue;
    throw new Refused(`the name "${cluster.name}" gives the addresses of the cluster "${name}"; choose another`);
  }
  const listening = (await run('ss', ['-Hltnp'])).split('\n').map((line) => line.trim().split(/\s+/));
  const ours = (await listProcesses(cluster)).filter(({ alive }) => alive);
  const taken = takenPorts(cluster, listening, new Set(ours.map(({ pid }) => pid)));
  if (taken.length > 0) throw new Refused(`ports are taken already: ${taken.join('; ')}`);
}

/**
 * Ports that a process of somebody else holds, a sentence each. Any process of the cluster itself may hold one: with INSTALL=helm the
 * relay has the gateway's ports and the card double's. `listening` has the columns of `ss -Hltnp`.
 */
export function takenPorts(
  cluster: Layout,
  listening: readonly (readonly string[])[],
  ours: ReadonlySet<number>,
): string[] {
  return wanted(cluster).flatMap(({ owner, ip, port }) => {
    const addresses = [`${ip}:${port}`, ...['0.0.0.0', '*', '[::]'].map((everywhere) => `${everywhere}:${port}`)];
    const holder = listening.find(([, , , local = '']) => addresses.includes(local));
    if (!holder) return [];
    const who = holder[5];
    if (who ? pidsIn(who).some((pid) => ours.has(pid)) : ours.size > 0) return [];
    return [`${ip}:${port} (for ${owner}) by ${who ? readable(who) : 'a process this user may not see'}`];
  });
}

const pidsIn = (users: string): number[] => [...users.matchAll(/pid=(\d+)/g)].map(([, pid]) => Number(pid));

/** `users:(("node",pid=12,fd=3))` → `node, pid 12`. */
const readable = (users: string) =>
  [...users.matchAll(/\("([^"]+)",pid=(\d+)/g)].map(([, name, pid]) => `${name}, pid ${pid}`).join('; ') || users;
