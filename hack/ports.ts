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

const wanted = ({ ports, bridge }: Layout): Wanted[] => [
  { owner: 'etcd', ip: '127.0.0.1', port: ports.etcd },
  { owner: 'etcd', ip: '127.0.0.1', port: ports.etcdPeer },
  { owner: 'kube-controller-manager', ip: '127.0.0.1', port: ports.controllerManager },
  { owner: 'kube-scheduler', ip: '127.0.0.1', port: ports.scheduler },
  { owner: 'kwok', ip: '127.0.0.1', port: ports.kwok },
  { owner: 'kueue', ip: bridge.ip, port: ports.kueue },
  { owner: 'kueue', ip: '127.0.0.1', port: ports.kueueHealth },
  { owner: 'operator', ip: '127.0.0.1', port: ports.operator },
  { owner: 'gateway', ip: '127.0.0.1', port: ports.gateway },
  { owner: 'gateway', ip: '127.0.0.1', port: ports.tenantWeb },
  { owner: 'gateway', ip: '127.0.0.1', port: ports.kubernetes },
  { owner: 'gateway', ip: '127.0.0.1', port: ports.admin },
  { owner: 'mail-sink', ip: '127.0.0.1', port: ports.mail },
  { owner: 'card-double', ip: '127.0.0.1', port: ports.payments },
  { owner: 'object-store', ip: '127.0.0.1', port: ports.objectStore },
  { owner: 'prometheus', ip: '127.0.0.1', port: ports.prometheus },
  { owner: 'gpu-exporter', ip: '127.0.0.1', port: ports.gpuExporter },
  { owner: 'node-exporter', ip: '127.0.0.1', port: ports.nodeExporter },
  { owner: 'gateway', ip: '127.0.0.1', port: ports.gatewayMetrics },
  { owner: 'kube-state-metrics', ip: '127.0.0.1', port: ports.kubeStateMetrics },
  { owner: 'kube-state-metrics', ip: '127.0.0.1', port: ports.kubeStateTelemetry },
  { owner: 'lws', ip: bridge.ip, port: ports.groups },
  { owner: 'lws', ip: '127.0.0.1', port: ports.groupsHealth },
  { owner: 'kube-apiserver', ip: bridge.ip, port: 6443 },
  { owner: 'registry-tokens', ip: bridge.ip, port: 5000 },
  { owner: 'registry', ip: bridge.ip, port: 5001 },
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
