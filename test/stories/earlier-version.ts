// A version before this one, for stories about upgrades: a checkout of it, which GANTRY_UPGRADE_FROM names, after `make images` there.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crane } from '../../hack/crane.ts';
import type { PlatformImage } from '../../hack/images/platform-images.ts';
import type { Layout } from '../../hack/layout.ts';

export interface EarlierVersion {
  readonly chart: string;
  readonly digests: Partial<Record<PlatformImage, string>>;
}

/** Its images are in the cluster's registry when it resolves. Undefined: a story begins with this version. */
export async function pushEarlierVersion(cluster: Layout): Promise<EarlierVersion | undefined> {
  const checkout = process.env.GANTRY_UPGRADE_FROM;
  if (!checkout) return undefined;
  const images = join(checkout, '.run/images');
  const { image } = JSON.parse(await readFile(join(images, 'values.yaml'), 'utf8'));
  for (const name of Object.keys(image.digests))
    await crane(cluster, ['push', join(images, name), `${cluster.registry.address}/official/${name}:earlier`]);
  return { chart: join(checkout, 'charts/gantry'), digests: image.digests };
}
