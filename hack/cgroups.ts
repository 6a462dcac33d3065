// Each real node has its own cgroup below every hierarchy, so that two kubelets never clean up each other's.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { waitFor } from './wait-for.ts';

const MOUNT = '/sys/fs/cgroup';

/** One folder on cgroup v2, one per controller on v1. */
async function hierarchies(): Promise<string[]> {
  if (existsSync(`${MOUNT}/cgroup.controllers`)) return [MOUNT];
  const entries = await readdir(MOUNT, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${MOUNT}/${name}`);
}

export async function makeCgroup(root: string): Promise<void> {
  for (const hierarchy of await hierarchies()) {
    const dir = `${hierarchy}${root}`;
    await mkdir(dir, { recursive: true });
    if (hierarchy === MOUNT) await delegate(hierarchy, dir);
    // v1 only: a new cpuset takes no process until it has CPUs and memory nodes.
    for (const file of ['cpuset.cpus', 'cpuset.mems'].filter((name) => existsSync(`${dir}/${name}`))) {
      if (hierarchy !== MOUNT) await writeFile(`${dir}/${file}`, await readFile(`${hierarchy}/${file}`));
    }
  }
}

/** cgroup v2: children get the controllers that their parent hands down. */
async function delegate(hierarchy: string, dir: string): Promise<void> {
  const controllers = (await readFile(`${hierarchy}/cgroup.controllers`, 'utf8')).trim().split(' ');
  const handed = controllers.map((name) => `+${name}`).join(' ');
  for (const parent of [hierarchy, dir]) await writeFile(`${parent}/cgroup.subtree_control`, handed);
}

/** Kills every process below `root`, then removes the folders. */
export async function removeCgroup(root: string): Promise<void> {
  const dirs = (await hierarchies()).map((hierarchy) => `${hierarchy}${root}`).filter((dir) => existsSync(dir));
  if (dirs.length === 0) return;
  await waitFor(`processes of cgroup ${root} to end`, async () => (await killIn(dirs)) === 0, {
    everyMs: 20,
  });
  for (const dir of dirs) for (const folder of (await foldersIn(dir)).reverse()) await rmdir(folder);
}

async function killIn(dirs: readonly string[]): Promise<number> {
  let found = 0;
  for (const dir of dirs) {
    for (const folder of await foldersIn(dir)) {
      for (const pid of (await readFile(`${folder}/cgroup.procs`, 'utf8').catch(() => ''))
        .split('\n')
        .filter(Boolean)) {
        found += 1;
        try {
          process.kill(Number(pid), 'SIGKILL');
        } catch {
          // It ended between the reading and the signal.
        }
      }
    }
  }
  return found;
}

/** Parents before children. */
async function foldersIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true }).catch(() => []);
  const below = entries.filter((entry) => entry.isDirectory()).map((entry) => `${entry.parentPath}/${entry.name}`);
  return [dir, ...below.sort((a, b) => a.length - b.length)];
}
