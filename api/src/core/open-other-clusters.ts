// Data centres besides our own, by the folder that names them: their stock is shown, and instances are placed in those that say so.
// None of them holds this gateway up: one that is not there, or not yet a cluster of ours, has no stock.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '@gantry/kube/clock.ts';
import { BadConfig, labelValue } from '@gantry/kube/options.ts';
import { type PoolRules, poolOf } from '@gantry/kube/placement.ts';
import { type Config, readText } from '../platform/config.ts';
import type { Platform } from '../platform/open.ts';
import { type Cluster, openCluster } from './kinds/open-cluster.ts';
import type { Region } from './kinds/to-view.ts';

/** Between two looks for what is missing on a cluster. */
const AGAIN_MS = 30_000;

export interface OtherCluster {
  cluster: Cluster;
  region: Region;
  /** Whether instances are placed there: all people and money of it are this gateway's, and it has no gateway of its own. */
  isPlace: boolean;
}

/** The only allowed text of a file `places`. */
const PLACES = 'instances';

/** One for each folder `<region>` with a `kubeconfig`, followed until the signal. Throws BadConfig. */
export function openOtherClusters(
  { otherClustersDir: dir, region: own, ...config }: Pick<Config, 'otherClustersDir' | 'region'> & PoolRules,
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
  signal: AbortSignal,
): OtherCluster[] {
  if (dir === '') return [];
  return regionsIn(dir, own).map((id) => {
    const labelFile = join(dir, id, 'label');
    const label = existsSync(labelFile) ? readText(labelFile) : id;
    const kubeconfig = join(dir, id, 'kubeconfig');
    const lines = log.child({ cluster: id });
    const region = { id, label };
    const cluster = openCluster({ kubeconfig, region, clock, log: lines, pool: poolOf(config) });
    void follow(cluster, { clock, log: lines }, signal);
    return { cluster, region, isPlace: isPlace(join(dir, id, 'places')) };
  });
}

function isPlace(file: string): boolean {
  if (!existsSync(file)) return false;
  const said = readText(file).trim();
  if (said === PLACES) return true;
  throw new BadConfig(`--other-clusters-dir: "${file}" says "${said}": only "${PLACES}" can be placed there`);
}

function regionsIn(dir: string, own: string): string[] {
  const refuse = (why: string) => new BadConfig(`--other-clusters-dir: ${why}`);
  if (!existsSync(dir)) throw refuse(`there is no folder "${dir}"`);
  // Names that begin with two dots are Kubernetes' own in mounted Secrets.
  const regions = readdirSync(dir).filter((name) => !name.startsWith('..'));
  for (const id of regions) {
    if (!labelValue.safeParse(id).success) throw refuse(`"${id}" is no region: 1 to 63 letters, digits, -, _ and .`);
    if (id === own) throw refuse(`"${id}" is this gateway's own region`);
    if (!existsSync(join(dir, id, 'kubeconfig'))) throw refuse(`"${join(dir, id)}" has no kubeconfig`);
  }
  return regions.toSorted();
}

async function follow(
  cluster: Cluster,
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await cluster.start(signal);
      return;
    } catch (error) {
      log.warn({ why: (error as Error).message }, 'a cluster of another region cannot be followed yet');
      await pause(clock, AGAIN_MS, signal);
    }
  }
}
