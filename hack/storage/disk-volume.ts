// A volume of a real node: a sparse file with an XFS file system, mounted through a loop device. The file's length is
// the size that holds: a write past it fails with ENOSPC. Every function may be repeated after a kill at any point.
// XFS because ext4 asks CAP_SYS_RESOURCE to grow while mounted, which containers and small VMs often lack.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import type { NodeLayout } from '../layout.ts';
import { run } from '../run.ts';

const folder = (node: NodeLayout, name: string) => `${node.volumesDir}/${name}`;
const imageFile = (node: NodeLayout, name: string) => `${folder(node, name)}/disk.xfs`;

/** Path of the volume's contents on the node. */
export const mountPoint = (node: NodeLayout, name: string) => `${folder(node, name)}/mount`;

/** Names of all volumes with data on this node's disk. */
export const volumesOnDisk = (node: NodeLayout): Promise<string[]> => readdir(node.volumesDir).catch(() => []);

export async function makeVolume(node: NodeLayout, name: string, sizeBytes: number): Promise<void> {
  await mkdir(mountPoint(node, name), { recursive: true });
  const image = imageFile(node, name);
  if (!existsSync(image)) {
    // Under its own name only once it is whole.
    const unfinished = `${image}.new`;
    await rm(unfinished, { force: true });
    await writeFile(unfinished, '');
    await truncate(unfinished, sizeBytes);
    // "Unsupported" means smaller than 300 MB. Without the trees that only copying by reference needs, an empty disk
    // also shows as one.
    await run('mkfs.xfs', ['-q', '-f', '--unsupported', '-m', 'reflink=0,rmapbt=0', unfinished]);
    await rename(unfinished, image);
  }
  await mountVolume(node, name);
}

export async function mountVolume(node: NodeLayout, name: string): Promise<void> {
  const target = mountPoint(node, name);
  if (await isMounted(target)) return;
  await mkdir(target, { recursive: true });
  // `mount` makes the loop device and has the kernel drop it with the last mount, Pods' own included.
  await run('mount', ['-o', 'loop,noatime', imageFile(node, name), target]);
}

export async function growVolume(node: NodeLayout, name: string, sizeBytes: number): Promise<void> {
  const image = imageFile(node, name);
  await mountVolume(node, name);
  await truncate(image, sizeBytes);
  const device = (await run('losetup', ['--associated', image, '--noheadings', '--output', 'NAME'])).trim();
  await run('losetup', ['--set-capacity', device]);
  await run('xfs_growfs', [mountPoint(node, name)]);
}

export async function removeVolume(node: NodeLayout, name: string): Promise<void> {
  if (!existsSync(folder(node, name))) return;
  const target = mountPoint(node, name);
  if (await isMounted(target)) await run('umount', [target]);
  await rm(folder(node, name), { recursive: true, force: true });
}

async function isMounted(target: string): Promise<boolean> {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8');
  return mounts.split('\n').some((line) => line.split(' ')[4] === target);
}
