// A Pod that takes in a model's files on a node where a replica may be needed next. It serves nothing, and nobody pays for it: the
// node's agent keeps what it took in, the gateway says which node, and when that is over.
import { identityOf } from '@gantry/contract/identity.ts';
import { hostWish } from '@gantry/contract/kinds/host-of.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { sizesOf } from '@gantry/contract/kinds/model-deployment-view.ts';
import { fillPodName, LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { toleratesCards, toleratesHost } from '@gantry/kube/placement.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import type { Plan, Read } from '../../define-controller.ts';
import { isHostOver, whoseNode } from '../../host-nodes.ts';
import { PLATFORM_POD } from '../../platform-pod.ts';
import { controllerOf, ownedBy, POD } from '../../resources.ts';
import type { ServiceSeen } from '../../serving/reads.ts';
import { digestOf } from '../../serving/revisions.ts';
import { type DeploymentSettings, receiverOf, roomMiOf, small } from './dress.ts';

export const fills: Read<ModelDeployment, readonly Pod[]> = {
  of: POD,
  find: ({ metadata: { uid = '', namespace } }, caches) =>
    (caches.by(POD, 'owner', uid) as readonly Pod[]).filter(
      ({ metadata }) => metadata.namespace === namespace && metadata.labels?.[LABEL.fills] !== undefined,
    ),
  wakes: ({ before, after }) => [after, before].flatMap((pod) => controllerOf(pod, modelDeployment.kind)),
};

/** Other files, or another node, are another Pod. */
const nameOf = ({ metadata }: ModelDeployment, node: string, digest: string): string =>
  fillPodName(metadata.name, digestOf(`${digest} ${node}`));

/** One at a time: another comes once the one before is gone. */
export function planFill(
  owner: ModelDeployment,
  seen: Pick<ServiceSeen, 'isNamespaceGoing' | 'host'> & { fills: readonly Pod[] },
  settings: DeploymentSettings,
): Required<Pick<Plan, 'create' | 'remove'>> {
  const { weights } = owner.status ?? {};
  const isOver =
    owner.metadata.deletionTimestamp !== undefined ||
    seen.isNamespaceGoing ||
    owner.spec.power === 'Stopped' ||
    // Its nodes are given back once nothing of the organisation is there.
    isHostOver(seen.host) ||
    // Its files belong on its host's nodes, not on the pool's.
    (seen.host === undefined && hostWish(owner.spec) !== undefined);
  const name = isOver || !weights?.fills ? undefined : nameOf(owner, weights.fills, weights.digest);
  return {
    create: name !== undefined && seen.fills.length === 0 ? [desiredFill(owner, name, seen.host, settings)] : [],
    remove: seen.fills
      .filter(({ metadata }) => metadata.name !== name && metadata.deletionTimestamp === undefined)
      .map(targetOf),
  };
}

function desiredFill(
  owner: ModelDeployment,
  name: string,
  host: ServiceSeen['host'],
  { agentImage, ...rules }: DeploymentSettings,
): Pod {
  const { digest = '', sizeBytes = 0, fills: node = '' } = owner.status?.weights ?? {};
  const room = { 'ephemeral-storage': `${roomMiOf(sizeBytes)}Mi` };
  const { requests, limits } = small('64Mi');
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: owner.metadata.namespace ?? '',
      labels: { [LABEL.fills]: owner.metadata.name },
      ownerReferences: ownedBy(owner),
    },
    spec: {
      ...PLATFORM_POD,
      // By the scheduler, which knows whether there is room. Meanwhile the node may have become another organisation's host.
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [whoseNode(host)],
                matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }],
              },
            ],
          },
        },
      },
      tolerations: [
        ...(sizesOf(owner).gpu ? toleratesCards(rules) : []),
        ...toleratesHost(host && identityOf(host), rules.hostTaintKey),
      ],
      initContainers: [receiverOf({ digest, sizeBytes }, agentImage)],
      // Until the agent has kept them.
      containers: [
        {
          name: 'main',
          image: agentImage,
          imagePullPolicy: 'IfNotPresent',
          args: ['init'],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          resources: { requests: { ...requests, ...room }, limits: { ...limits, ...room } },
        },
      ],
      volumes: [{ name: 'models', emptyDir: { sizeLimit: `${roomMiOf(sizeBytes)}Mi` } }],
    },
  };
}
