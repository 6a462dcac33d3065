// Data centres besides our own, by the folder that names them: their stock is shown, and instances are placed in those that say so.
// None of them holds this gateway up: one that is not there, or not yet a cluster of ours, has no stock.
import { type PoolRules, poolOf } from '@gantry/kube/placement.ts';
import type { Config } from '../platform/config.ts';
import type { Platform } from '../platform/open.ts';
import { followOnceThere } from './kinds/follow-once-there.ts';
import { type Cluster, openCluster } from './kinds/open-cluster.ts';
import type { Region } from './kinds/to-view.ts';
import { otherRegions } from './other-regions.ts';

export interface OtherCluster {
  cluster: Cluster;
  region: Region;
  /** Whether instances are placed there: all people and money of it are this gateway's, and it has no gateway of its own. */
  isPlace: boolean;
}

/** One for each folder `<region>` with a `kubeconfig`, followed until the signal. Throws BadConfig. */
export function openOtherClusters(
  { otherClustersDir: dir, region: own, ...config }: Pick<Config, 'otherClustersDir' | 'region'> & PoolRules,
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
  signal: AbortSignal,
): OtherCluster[] {
  return otherRegions(dir, own).map(({ id, label, kubeconfig, isPlace }) => {
    const lines = log.child({ cluster: id });
    const region = { id, label };
    const cluster = openCluster({ kubeconfig, region, clock, log: lines, pool: poolOf(config) });
    void followOnceThere(cluster, { clock, log: lines }, signal);
    return { cluster, region, isPlace };
  });
}
