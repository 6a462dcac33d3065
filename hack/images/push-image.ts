// Puts an image into a cluster's registry, or straight into a node's containerd.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { crane } from '../crane.ts';
import type { Layout, NodeLayout } from '../layout.ts';
import { run } from '../run.ts';
import { type ImageSpec, imageArchive } from './image-archive.ts';

/** `name` is `<official or namespace>/<image>:<tag>`; resolves with the source to pull, pinned to its digest. */
export async function pushImage(cluster: Layout, name: string, spec: ImageSpec): Promise<string> {
  const { registry } = cluster;
  const pushed = await asFile(imageArchive(`${registry.name}/${name}`, spec), (file) =>
    crane(cluster, ['push', file, `${registry.address}/${name}`]),
  );
  const digest = pushed.trim().split('@')[1];
  return `${registry.name}/${name}@${digest}`;
}

/** For images that a node needs before it can pull: the reference then resolves without a registry. */
export async function importImage(node: NodeLayout, reference: string, spec: ImageSpec): Promise<void> {
  await asFile(imageArchive(reference, spec), (file) =>
    run('ctr', ['--address', node.containerdSocket, '--namespace', 'k8s.io', 'images', 'import', file]),
  );
}

async function asFile<T>(content: Buffer, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(`${tmpdir()}/gantry-image-`);
  try {
    await writeFile(`${folder}/image.tar`, content);
    return await use(`${folder}/image.tar`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
