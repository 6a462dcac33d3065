// Saves a home: a Pod that holds its volume, and the Snapshot that an agent takes of that Pod.
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { LABEL, REGISTRY } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { PLATFORM_POD } from '../../../platform-pod.ts';
import { ownedBy } from '../../../resources.ts';
import { homeLabels, homeName, type InstanceSettings, keeperName } from '../desired.ts';

/** Holds the home's volume while its files are read. The platform's: outside the tenants' quota, on the volume's own node. */
export function desiredKeeper(owner: GpuInstance, node: string, { agentImage }: InstanceSettings): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: keeperName(owner),
      namespace: owner.metadata.namespace ?? '',
      labels: { [LABEL.kind]: 'HomeKeeper', [LABEL.name]: owner.metadata.name },
      ownerReferences: ownedBy(owner),
    },
    spec: {
      ...PLATFORM_POD,
      // Not by the scheduler: the node may be cordoned, and this is how work gets off it.
      nodeName: node,
      tolerations: [{ operator: 'Exists' }],
      containers: [
        {
          name: 'main',
          image: agentImage,
          imagePullPolicy: 'IfNotPresent',
          args: ['init'],
          resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '500m', memory: '128Mi' } },
          volumeMounts: [{ name: 'home', mountPath: '/home' }],
        },
      ],
      volumes: [{ name: 'home', persistentVolumeClaim: { claimName: homeName(owner) } }],
    },
  };
}

export const homeSnapshotName = ({ metadata }: GpuInstance, seq: number): string => `${metadata.name}-${seq}-home`;

export function desiredHomeSnapshot(owner: GpuInstance, keeper: Pod, node: string, seq: number): Snapshot {
  const { name, namespace = '' } = owner.metadata;
  return {
    apiVersion: owner.apiVersion,
    kind: 'Snapshot',
    metadata: {
      name: homeSnapshotName(owner, seq),
      namespace,
      labels: { ...homeLabels(owner), [LABEL.run]: String(seq) },
      ownerReferences: ownedBy(owner),
    },
    spec: {
      instance: name,
      of: 'Home',
      node,
      podName: keeper.metadata.name,
      podUID: keeper.metadata.uid ?? '',
      target: `${REGISTRY}/${namespace}/${name}.home:${seq}`,
    },
  };
}
