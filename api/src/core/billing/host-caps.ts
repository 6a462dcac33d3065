// How many hosts an organisation has and may have, as the cluster says it: billing's plans ask, and set it.
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import type { Cluster } from '../kinds/open-cluster.ts';
import { quotaSetter } from '../kinds/organization-quota.ts';
import type { HostCaps } from './prices/plans.ts';

export function hostCaps(cluster: Pick<Cluster, 'client' | 'cache'>): HostCaps {
  const setQuota = quotaSetter(cluster);
  return {
    // Hosts that are being deleted count until they are gone, like in the quota.
    held: (id) => cluster.cache.list(gpuHost, organizationNamespace(id)).length,
    cap: (id) => cluster.cache.get<Organization>(organization, undefined, id)?.spec.quota.hosts,
    set: (id, hosts) => setQuota(id, { hosts }),
  };
}
