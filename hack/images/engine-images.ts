// The image of llama.cpp's server, out of Debian's packages: real, small, and without a GPU. Engines for GPUs come from their makers.
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { ENGINE_FACTS } from '@gantry/contract/models/engines.ts';
import { cacheDir } from '../binaries.ts';
import { crane } from '../crane.ts';
import type { Layout } from '../layout.ts';
import { run } from '../run.ts';
import { say } from '../say.ts';

const SOURCE = 'deb http://deb.debian.org/debian sid main';
/** `base-files` has the links from which programs find their loader. */
const PACKAGES = 'llama.cpp-tools,base-files';

/** Step. A machine that does not reach Debian goes without, and says so: nothing else needs it. */
export async function pushEngineImages(cluster: Layout): Promise<void> {
  const { registry } = cluster;
  const image = ENGINE_FACTS['llama.cpp'].image.slice(registry.name.length + 1);
  const reference = `${registry.address}/${image}`;
  try {
    const root = await llamaRoot(image.split(':')[1] ?? '');
    await crane(cluster, ['append', '--new_layer', root, '--new_tag', reference]);
  } catch (error) {
    say(`${image} was not made, and deployments of GGUF models will wait for it: ${(error as Error).message}`);
  }
}

/** Unpacked packages as a tar, made once for a version. */
async function llamaRoot(version: string): Promise<string> {
  const file = `${cacheDir}/images/llama.cpp-${version}.tar`;
  if (existsSync(file)) return file;
  await mkdir(`${cacheDir}/images`, { recursive: true });
  say(`unpacking llama.cpp ${version} from Debian`);
  const made = `${file}.${process.pid}.tar`;
  const stale = `Acquire::Check-Valid-Until "false"`;
  await run('mmdebstrap', ['--variant=extract', `--include=${PACKAGES}`, `--aptopt=${stale}`, 'sid', made, SOURCE]);
  await rename(made, file);
  return file;
}
