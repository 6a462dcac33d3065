// Joins our own cluster with those in which instances are placed: organisations go there with their first object, and reads, commands,
// money and the removal of keys reach there.

import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import type { Database } from '../platform/db/open.ts';
import { isOfDeleted } from './billing/gate/spendable-balance.ts';
import type { Cluster } from './kinds/open-cluster.ts';
import { homeOf, isMadeBy } from './kinds/placed.ts';
import { PlacedOrganizations } from './kinds/placed-organizations.ts';
import type { OtherCluster } from './open-other-clusters.ts';

export interface ElsewhereParts {
  db: Database;
  clock: Clock;
  log: Logger;
  /** Our own, and the region that it is. */
  cluster: Cluster;
  region: string;
}

/** Before our own cluster is followed. Works until the signal. */
export function placeElsewhere(
  others: readonly OtherCluster[],
  { db, clock, log, cluster, region: homeRegion }: ElsewhereParts,
  signal: AbortSignal,
): void {
  const since = clock.now();
  const places = others.filter(({ isPlace }) => isPlace);
  cluster.kinds.showAlso(others.map((other) => other.cluster.kinds));
  for (const { cluster: other } of places) other.billed.limitTo((id) => homeOf(other.cache, id) === homeRegion);
  cluster.billed.billAlso(places.map((place) => place.cluster.billed));
  cluster.kinds.placeIn(
    places.map(({ cluster: { kinds, cache, client }, region }) => {
      const placed = new PlacedOrganizations({
        ...{ home: cluster.cache, homeRegion, cache, client, region, clock },
        isDeleted: (id) => isOfDeleted(db.sql, id),
        log: log.child({ cluster: region.id }),
      });
      void placed.follow(signal);
      return {
        store: kinds,
        admit: (namespace) => placed.admit(namespace),
        isOurs: (namespace) => placed.isOurs(namespace),
        since,
      };
    }),
  );
}

/** A key is removed from instances everywhere. Rejects while one that may have it is out of reach: it is tried again. */
export const keysEverywhere = (
  cluster: Cluster,
  others: readonly OtherCluster[],
  homeRegion: string,
): Pick<Cluster['instanceKeys'], 'remove'> => ({
  async remove(asked) {
    await cluster.instanceKeys.remove(asked);
    for (const { cluster: other, isPlace } of others) {
      if (!isPlace) continue;
      if (!other.cache.synced) throw problem('unavailable', { seconds: AGAIN_S });
      if (isMadeBy(homeRegion, other.cache)(asked.namespace)) await other.instanceKeys.remove(asked);
    }
  },
});

/** The cluster that has an object; ours if none does. Throws unavailable while one that may have it was never seen. */
export type ClusterOf = (kind: { kind: string }, namespace: string, name: string) => OneCluster;

type OneCluster = Pick<Cluster, 'kinds' | 'client' | 'cache'>;

export const clusterOf =
  (own: OneCluster, others: readonly OtherCluster[]): ClusterOf =>
  (kind, namespace, name) => {
    const store = own.kinds.holder(kind, namespace, name);
    return others.find(({ cluster }) => cluster.kinds === store)?.cluster ?? own;
  };

/** An object, and the API server of the cluster that has it, as a user sees it. Throws as above. */
export type FindAnywhere = (
  ...of: Parameters<ClusterOf>
) => { object: KubeObject; as: KubeClient['as']; elsewhere?: string } | undefined;

export const findAnywhere =
  (own: OneCluster, of: ClusterOf): FindAnywhere =>
  (...wanted) => {
    const { cache, client, kinds } = of(...wanted);
    const object = cache.get(...wanted);
    const elsewhere = kinds === own.kinds ? {} : { elsewhere: kinds.region.label };
    return object && { object, as: (user) => client.as(user), ...elsewhere };
  };

/** Clusters in which objects of ours are, and whose each is there. */
export const placesOf = (others: readonly OtherCluster[], homeRegion: string) =>
  others
    .filter(({ isPlace }) => isPlace)
    .map(({ cluster: { cache, client } }) => ({ cache, client, isOurs: isMadeBy(homeRegion, cache) }));

const AGAIN_S = 30;
