// The image of the data worker: Debian's Python, the wheels that its lockfile names, and its source.
import { fileURLToPath } from 'node:url';
import { crane } from '../crane.ts';
import type { Layout } from '../layout.ts';
import { say } from '../say.ts';
import { officialName } from './build.ts';
import { writeOciLayout } from './oci-layout.ts';
import { type PythonProgram, pythonImage } from './python-image.ts';

export const DATA_WORKER_LOCK = fileURLToPath(new URL('../../data-worker/requirements.lock', import.meta.url));

export const DATA_WORKER: PythonProgram = {
  name: 'data-worker',
  // `base-files` has the links from which programs find their loader.
  packages: ['python3', 'base-files', 'libstdc++6', 'tzdata'],
  lock: DATA_WORKER_LOCK,
  sources: [{ room: 'data-worker', folder: 'gantry_worker' }],
};

/** Step. A machine that reaches neither Debian nor PyPI goes without, and says so: only datasets need it. */
export async function pushDataWorker(cluster: Layout): Promise<void> {
  const name = await officialName('data-worker');
  const reference = `${cluster.registry.address}/${name}`;
  try {
    const { purls, ...image } = await pythonImage(DATA_WORKER);
    const folder = `${cluster.dir}/images/data-worker.oci`;
    const digest = await writeOciLayout(folder, image);
    const there = await crane(cluster, ['digest', reference]).catch(() => '');
    if (there.trim() !== digest) await crane(cluster, ['push', folder, reference]);
  } catch (error) {
    say(`${name} was not made, and datasets will wait for it: ${(error as Error).message}`);
  }
}
