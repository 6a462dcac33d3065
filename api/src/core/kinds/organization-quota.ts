// An organisation's quota is in its resource; only staff change it.
import { problem } from '@gantry/contract/http/problem.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';

export type Quota = { readonly [name in keyof Organization['spec']['quota']]?: number | undefined };

const RESOURCE = resourceOf(organization);

/** Returns a function that sets it; omitted fields stay. Throws not_found if the cluster does not have the organisation yet. */
export const quotaSetter =
  ({ client, cache }: { client: Pick<KubeClient, 'mergePatch'>; cache: Pick<WatchCache, 'get' | 'observe'> }) =>
  async (id: string, quota: Quota): Promise<void> => {
    const found = cache.get<Organization>(organization, undefined, id);
    if (!found) throw problem('not_found', { what: id });
    cache.observe(await client.mergePatch(RESOURCE, { ...targetOf(found), body: { spec: { quota } } }));
  };
