// Both nodes are processes of one machine, so a folder of it is a disk that both can mount: storage that ties nothing to a node.
import type { GpuInstanceSpec } from '@gantry/contract/kinds/gpu-instance.ts';
import { applyObject } from '../../hack/api-call.ts';
import type { Stage, Tenant } from './stage.ts';

const NETWORK_DISK = 'story-network-disk';
const LABEL = 'story-network-disk';

/** The home of an instance to be created. */
export async function offerNetworkDisk(
  stage: Stage,
  tenant: Tenant,
  name: string,
): Promise<GpuInstanceSpec['homeDisk']> {
  const { cluster } = stage;
  await applyObject(cluster, '/apis/storage.k8s.io/v1/storageclasses', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: NETWORK_DISK },
    provisioner: 'kubernetes.io/no-provisioner',
  });
  const volume = `${tenant.namespace}-${name}`;
  await applyObject(cluster, '/api/v1/persistentvolumes', {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volume, labels: { [LABEL]: 'true' } },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOncePod'],
      storageClassName: NETWORK_DISK,
      persistentVolumeReclaimPolicy: 'Retain',
      hostPath: { path: `${cluster.dir}/${volume}`, type: 'DirectoryOrCreate' },
    },
  });
  return { sizeGi: 1, storageClassName: NETWORK_DISK };
}

export async function takeNetworkDisks({ kubectl }: Stage): Promise<void> {
  await kubectl.must(['delete', 'persistentvolume', '--selector', LABEL, '--wait=false']);
  await kubectl.must(['delete', 'storageclass', NETWORK_DISK]);
}
