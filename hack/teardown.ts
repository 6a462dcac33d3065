// Removes a cluster in any state, even if its `up` was killed half-way. It works from what exists, never from a record;
// everything it removes carries the cluster's own path, name or cgroup.
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { removeCgroup } from './cgroups.ts';
import { restoreHostSettings } from './host-settings.ts';
import type { Layout } from './layout.ts';
import { removeNetwork } from './network.ts';
import { endProcess, listDescendants, listProcesses } from './process.ts';
import { run } from './run.ts';

export async function teardown(cluster: Layout): Promise<void> {
  await stopProcesses(cluster);
  await Promise.all(cluster.nodes.map(({ cgroupRoot }) => removeCgroup(cgroupRoot)));
  await stopDescendants(cluster);
  for (const { runDir } of cluster.nodes) await removeShimSockets(`${runDir}/containerd`);
  await unmountAll(cluster);
  await removeNetwork(cluster);
  await removeFilesElsewhere(cluster);
  await removeOwnFiles(cluster);
  await restoreHostSettings();
}

/** All at once and without a grace period: whatever they would save is about to be deleted. */
async function stopProcesses(cluster: Layout): Promise<void> {
  const alive = (await listProcesses(cluster)).filter((running) => running.alive);
  await Promise.all(alive.map((running) => endProcess(running, 0)));
}

/** Shims outlive their containerd by design; and a child of anything we killed has lost its parent. */
async function stopDescendants(cluster: Layout): Promise<void> {
  await Promise.all((await listDescendants(cluster)).map((running) => endProcess(running, 0)));
}

/** They are in a folder that all containerds of a machine share; the task's folder notes which is its own. */
async function removeShimSockets(stateDir: string): Promise<void> {
  const tasks = `${stateDir}/io.containerd.runtime.v2.task/k8s.io`;
  for (const id of await readdir(tasks).catch(() => [])) {
    const address = await readFile(`${tasks}/${id}/address`, 'utf8').catch(() => '');
    if (address.startsWith('unix://')) await rm(address.trim().slice('unix://'.length), { force: true });
  }
}

async function unmountAll(cluster: Layout): Promise<void> {
  const mounts = await mountsBelow(cluster);
  // The innermost first: a later line may lie on top of an earlier one.
  for (const target of mounts.reverse()) await run('umount', ['--lazy', target]).catch(() => '');
  const left = await mountsBelow(cluster);
  if (left.length > 0) throw new Error(`still mounted: ${left.join(', ')}`);
  for (const line of (await run('losetup', ['--list', '--noheadings', '--output', 'NAME,BACK-FILE'])).split('\n')) {
    const [device, file = ''] = line.trim().split(/\s+/);
    if (device && file.startsWith(`${cluster.dir}/`)) await run('losetup', ['--detach', device]);
  }
}

async function mountsBelow({ dir, runDir }: Layout): Promise<string[]> {
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').map((line) => line.split(' ')[4] ?? '');
  return mounts
    .map((target) => target.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))))
    .filter((target) => target.startsWith(`${dir}/`) || target.startsWith(`${runDir}/`));
}

/** libcni and the kubelet have folders that no setting moves. */
async function removeFilesElsewhere({ nodes }: Layout): Promise<void> {
  const results = '/var/lib/cni/results';
  const files = await readdir(results).catch(() => []);
  // `<network>-<sandbox>-<device>`; the loopback network has one name for all, so its files go by their sandbox.
  const sandboxes = files
    .filter((file) => nodes.some(({ cniNetwork }) => file.startsWith(`${cniNetwork}-`)))
    .map((file) => file.split('-').at(-2) ?? '');
  for (const file of files) {
    if (sandboxes.includes(file.split('-').at(-2) ?? '')) await rm(`${results}/${file}`, { force: true });
  }
  const links = '/var/log/containers';
  for (const file of await readdir(links).catch(() => [])) {
    const target = await readlink(`${links}/${file}`).catch(() => '');
    if (nodes.some(({ podLogsDir }) => target.startsWith(`${podLogsDir}/`))) await rm(`${links}/${file}`);
  }
}

async function removeOwnFiles({ dir, runDir, kubeconfig }: Layout): Promise<void> {
  for (const folder of [dir, runDir, dirname(kubeconfig)]) {
    if (existsSync(folder)) await rm(folder, { recursive: true });
  }
  // Shared with other clusters: gone with the last one.
  for (const folder of [dirname(runDir), dirname(dirname(kubeconfig))]) await rmdir(folder).catch(() => {});
}
