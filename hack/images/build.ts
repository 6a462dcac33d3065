// The images that every cluster has: its pause container, the agent, and busybox to try things with.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { crane } from '../crane.ts';
import { GO_ENV } from '../go-env.ts';
import type { Layout, NodeLayout } from '../layout.ts';
import { run } from '../run.ts';
import { applyFiles } from '../slow-server.ts';
import type { ImageSpec } from './image-archive.ts';
import { agentImageSpec, binaryImage, busyboxImage } from './official-images.ts';
import { importImage, pushImage } from './push-image.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Step. Imports the image into every node's containerd: no Pod starts without it, and the registry may start later. */
export async function importPause(cluster: Layout): Promise<void> {
  const pause = await pauseImage(cluster);
  await Promise.all(cluster.nodes.map((node: NodeLayout) => importImage(node, cluster.pauseImage, pause)));
}

/** Step: what tenants and the operator pull. */
export async function pushOfficialImages(cluster: Layout): Promise<void> {
  await Promise.all([
    pushImage(cluster, 'official/busybox:1.36', await busyboxImage()),
    pushImage(cluster, await officialName('agent'), await agentImageSpec(await buildAgent(cluster, 'agent'))),
    // The kubelet also removes this image from a full disk.
    pushImage(cluster, cluster.pauseImage.slice(cluster.registry.images.length + 1), await pauseImage(cluster)),
  ]);
}

/** Step: those among them that a person may choose, as Images that everybody is offered. */
export async function offerImages(cluster: Layout): Promise<void> {
  const file = fileURLToPath(new URL('offered-images.yaml', import.meta.url));
  await applyFiles(cluster, file);
}

/** An image of the platform's, by digest: nodes keep what they once pulled under a tag. */
export async function pushedImage(cluster: Layout, image: 'agent' | 'data-worker'): Promise<string> {
  const { registry } = cluster;
  const name = await officialName(image);
  const digest = (await crane(cluster, ['digest', `${registry.address}/${name}`])).trim();
  return `${registry.name}/${name}@${digest}`;
}

/** Under which the registry offers an image of the platform's to everybody. */
export async function officialName(image: string): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(`${repository}package.json`, 'utf8'));
  return `official/${image}:${version}`;
}

async function pauseImage(cluster: Layout): Promise<ImageSpec> {
  return binaryImage(await buildAgent(cluster, 'pause'), 'pause');
}

/** One of the agent's binaries; Go's own cache makes a second build cheap. */
export async function buildAgent(
  cluster: Pick<Layout, 'dir'>,
  command: 'agent' | 'node-agent' | 'pause' | 'load',
): Promise<string> {
  const out = `${cluster.dir}/images/${command}`;
  const flags = ['build', '-ldflags', '-s -w', '-o', out];
  await run('go', [...flags, `./cmd/${command}`], { cwd: `${repository}agent`, env: GO_ENV });
  return out;
}
