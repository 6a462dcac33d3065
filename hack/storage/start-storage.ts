// Storage with sizes that hold: the class, and the process behind it.
import { fileURLToPath } from 'node:url';
import { applyObject } from '../api-call.ts';
import type { Layout } from '../layout.ts';
import { startProcess } from '../process.ts';
import { PROVISIONER } from './plan-volume.ts';

/** Step. `teardown` unmounts its volumes: all of them are below the nodes' folders. */
export async function startStorage(cluster: Layout): Promise<void> {
  await applyObject(cluster, '/apis/storage.k8s.io/v1/storageclasses', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'gantry-disk', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: PROVISIONER,
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: true,
    reclaimPolicy: 'Delete',
  });
  await startProcess(cluster, {
    name: 'provisioner',
    command: [process.execPath, fileURLToPath(new URL('provisioner.ts', import.meta.url)), cluster.name],
  });
}
