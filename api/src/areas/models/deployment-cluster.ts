// Deployments of models, joined with the cluster: what waits for files, and what places there are.

import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { RECEIVER_PORT } from '@gantry/contract/models/engines.ts';
import { GROUPS_GROUP, GROUPS_VERSION, LABEL } from '@gantry/contract/names.ts';
import { isAbsent } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { isTerminal, type Pod } from '@gantry/kube/core-objects.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { KindStore } from '../../core/kinds/kind-store.ts';
import { nodeCaches } from '../../core/kinds/node-caches.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { Config } from '../../platform/config.ts';
import { POD } from '../../platform/kube/resources.ts';
import { unlessChanged } from '../../platform/kube/unless-changed.ts';
import { podAgent } from '../../platform/pods/pod-stream.ts';
import { isPodAddress } from '../../platform/relay/upstream.ts';
import { placesOf } from './deployment-places.ts';
import type { DeploymentsParts } from './deployments.ts';

export function deploymentCluster(
  { serviceNetwork }: Pick<Config, 'serviceNetwork'>,
  { client, cache, kinds }: Pick<Cluster, 'client' | 'cache'> & { kinds: Pick<KindStore, 'pool'> },
): DeploymentsParts['cluster'] {
  return {
    list: () => cache.list<ModelDeployment>(modelDeployment),
    async write(object, status) {
      const { resourceVersion } = object.metadata;
      const patch = { ...targetOf(object), ...(resourceVersion && { resourceVersion }), body: { status } };
      // Somebody has changed it: the next look sees that.
      await unlessChanged(
        client.mergePatch(resourceOf(modelDeployment), patch, 'status').then((written) => cache.observe(written)),
      );
    },
    places: (object) => placesOf(cache.reader, kinds.pool, object),
    hasGroups: () => servesGroups(client),
    waiting: (object) =>
      [...podsOf(cache, object, LABEL.modelDeployment), ...podsOf(cache, object, LABEL.fills)]
        .filter(({ status }) => status?.phase === 'Pending')
        .flatMap(({ metadata, status }) =>
          status?.podIP !== undefined && isPodAddress(status.podIP) ? [{ name: metadata.name, ip: status.podIP }] : [],
        ),
    nodeCaches: (object) => nodeCaches(cache.reader, object, kinds.pool),
    filler: (object) => {
      const pods = podsOf(cache, object, LABEL.fills);
      if (pods.some(isTerminal)) return 'over';
      if (pods.length === 0) return 'none';
      return pods.some(({ spec }) => spec?.nodeName) ? 'placed' : 'unplaced';
    },
    receiver: ({ metadata: { namespace = '' } }, { name, ip }) => ({
      host: ip,
      port: RECEIVER_PORT,
      ...(serviceNetwork === 'proxy' && { agent: podAgent(client, { namespace, pod: name }, RECEIVER_PORT) }),
    }),
  };
}

/** By the label that names it. */
const podsOf = (
  cache: Cluster['cache'],
  { metadata: { namespace = '', name } }: ModelDeployment,
  label: string,
): readonly Pod[] =>
  (cache.reader.list(POD, namespace) as readonly Pod[]).filter(({ metadata }) => metadata.labels?.[label] === name);

/** Whether LeaderWorkerSet is installed. One that does not answer now is not what keeps a deployment from being served. */
async function servesGroups(client: Pick<KubeClient, 'raw'>): Promise<boolean> {
  try {
    await client.raw(`/apis/${GROUPS_GROUP}/${GROUPS_VERSION}`);
    return true;
  } catch (error) {
    return !isAbsent(error);
  }
}
