// Deployments of models, joined with the cluster: what waits for files, and what places there are.

import { listOf } from '@gantry/contract/fields/stored.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { hostWish } from '@gantry/contract/kinds/host-of.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { Place } from '@gantry/contract/models/choose-setup.ts';
import { RECEIVER_PORT } from '@gantry/contract/models/engines.ts';
import { GROUPS_GROUP, GROUPS_VERSION, LABEL, organizationOf, WEIGHTS_SUFFIX } from '@gantry/contract/names.ts';
import { isAbsent, isConflict } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { isTerminal, type Pod } from '@gantry/kube/core-objects.ts';
import { closedTo, placingOf } from '@gantry/kube/placement.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { KindStore } from '../../core/kinds/kind-store.ts';
import { nodeCaches } from '../../core/kinds/node-caches.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import { hostIn } from '../../core/kinds/placed-host.ts';
import { type Room, roomsOf } from '../../core/kinds/stock.ts';
import type { Config } from '../../platform/config.ts';
import { POD } from '../../platform/kube/resources.ts';
import { podAgent } from '../../platform/pods/pod-stream.ts';
import { isPodAddress } from '../../platform/relay/upstream.ts';
import type { DeploymentsParts } from './deployments.ts';
import type { ModelParts } from './open-models.ts';

const GIB = 1024 ** 3;

export function deploymentCluster(
  { serviceNetwork }: Pick<Config, 'serviceNetwork'>,
  { client, cache, kinds }: Pick<Cluster, 'client' | 'cache'> & { kinds: Pick<KindStore, 'pool'> },
): DeploymentsParts['cluster'] {
  return {
    list: () => cache.list<ModelDeployment>(modelDeployment),
    async write(object, status) {
      const { resourceVersion } = object.metadata;
      const patch = { ...targetOf(object), ...(resourceVersion && { resourceVersion }), body: { status } };
      try {
        cache.observe(await client.mergePatch(resourceOf(modelDeployment), patch, 'status'));
      } catch (error) {
        // Somebody has changed it: the next look sees that.
        if (!isConflict(error)) throw error;
      }
    },
    places: ({ metadata: { namespace = '' }, spec }) => {
      const host = hostIn(cache.reader, namespace, spec);
      // A deployment that waits for a host is not fitted onto the pool.
      if (host === undefined && hostWish(spec) !== undefined) return [];
      const uid = host && identityOf(host);
      const placing = placingOf({ gpu: true }, uid, organizationOf(namespace), kinds.pool);
      const meant = roomsOf(cache.reader).filter((room) => closedTo(room, placing) !== 'host');
      return placesIn(
        meant
          .filter((room) => hasLabels(room, spec.nodeLabels))
          .map((room) => (closedTo(room, placing) === undefined ? room : { ...room, freeGpus: 0 })),
      );
    },
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

/** Labels about models on nodes would reveal what other organisations have. */
const hasLabels = ({ labels }: Room, wanted: Readonly<Record<string, string>> = {}): boolean =>
  Object.entries(wanted).every(([name, value]) => !name.includes(WEIGHTS_SUFFIX) && labels[name] === value);

/** By the model of their cards; nodes without cards need no place: Kubernetes finds one. */
const placesIn = (rooms: readonly Room[]): Place[] =>
  rooms.flatMap(({ model, gpuMemoryGi = 0, gpus, freeGpus, cores, memoryGi }) =>
    model === undefined
      ? []
      : [
          {
            model,
            cardBytes: gpuMemoryGi * GIB,
            cards: gpus,
            free: Math.max(0, freeGpus),
            cores: wholeOrTenth((cores * SHARED) / gpus),
            memoryGi: wholeOrTenth((memoryGi * SHARED) / gpus),
          },
        ],
  );

/** The rest is the node's own. */
const SHARED = 0.9;
const wholeOrTenth = (amount: number): number =>
  amount >= 1 ? Math.floor(amount) : Math.max(0.1, Math.floor(amount * 10) / 10);

/** Deployments that serve a model, or a version of it, as themselves or as an adapter. */
export const usersOfModels =
  ({ cache }: Pick<Cluster, 'cache'>): ModelParts['usedBy'] =>
  (model, version) =>
    cache
      .list<ModelDeployment>(modelDeployment)
      .filter(({ spec }) =>
        [spec, ...listOf(spec.adapters)].some(
          (one) => one.model === model && (version === undefined || one.version === version),
        ),
      )
      .map(({ metadata, spec }) => ({
        organizationId: organizationOf(metadata.namespace ?? '') ?? '',
        name: spec.displayName ?? metadata.name,
      }));
