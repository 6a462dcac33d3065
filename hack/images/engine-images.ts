// The image of llama.cpp's server, out of Debian's packages: real, small, and without a GPU. Engines for GPUs come from their makers.
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { ENGINE_FACTS } from '@gantry/contract/models/engines.ts';
import { cacheDir } from '../binaries.ts';
import { crane, platformLogin } from '../crane.ts';
import { debianMirror } from '../debian-mirror.ts';
import type { Layout } from '../layout.ts';
import { run } from '../run.ts';
import { say } from '../say.ts';

/** `base-files` has the links from which programs find their loader. */
const PACKAGES = 'llama.cpp-tools,base-files';

/** Step. */
export const pushEngineImages = (cluster: Layout): Promise<void> =>
  pushEngines(cluster, { address: cluster.registry.address, login: platformLogin(cluster) });

/** The registry of tenants' images: host and port, and a folder with a Docker config.json. */
export interface TenantsRegistry {
  readonly address: string;
  readonly login: string;
}

/** A machine that does not reach Debian goes without, and says so: nothing else needs it. */
export async function pushEngines(cluster: Layout, { address, login }: TenantsRegistry): Promise<void> {
  const image = ENGINE_FACTS['llama.cpp'].image.slice(cluster.registry.name.length + 1);
  const reference = `${address}/${image}`;
  try {
    const root = await llamaRoot(image.split(':')[1] ?? '');
    await crane(cluster, ['append', '--new_layer', root, '--new_tag', reference], login);
  } catch (error) {
    say(`${image} was not made, and deployments of GGUF models will wait for it: ${(error as Error).message}`);
  }
}

/** Where `llamaRoot` keeps it. */
export const llamaRootFile = (version: string): string => `${cacheDir}/images/llama.cpp-${version}.tar`;

/** Unpacked packages as a tar, made once for a version. */
async function llamaRoot(version: string): Promise<string> {
  const file = llamaRootFile(version);
  if (existsSync(file)) return file;
  await mkdir(`${cacheDir}/images`, { recursive: true });
  say(`unpacking llama.cpp ${version} from Debian`);
  const made = `${file}.${process.pid}.tar`;
  const source = `deb ${await debianMirror()} sid main`;
  const stale = `Acquire::Check-Valid-Until "false"`;
  await run('mmdebstrap', ['--variant=extract', `--include=${PACKAGES}`, `--aptopt=${stale}`, 'sid', made, source]);
  await rename(made, file);
  return file;
}
