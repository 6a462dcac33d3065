// The files of disks, joined with the cluster.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import { DiskFiles } from './disk-files.ts';
import { holderOf } from './holder-of.ts';

export interface DiskFilesOf {
  client: Pick<KubeClient, 'as'>;
  /** Out of the caches. */
  find: (kind: { kind: string }, namespace: string, name: string) => KubeObject | undefined;
  keyed: (text: string) => string;
  clock: Clock;
}

export const openDiskFiles = ({ client, find, keyed, clock }: DiskFilesOf): DiskFiles =>
  new DiskFiles({
    as: (user) => client.as(user),
    findDisk: (namespace, id) => find(dataDisk, namespace, id) as DataDisk | undefined,
    holderOf: (disk) => holderOf(disk, (namespace, id) => find(gpuInstance, namespace, id) as GpuInstance | undefined),
    wish: (user, disk, until) => wishForFiles(client, user, disk, until),
    keyed,
    clock,
  });

async function wishForFiles(client: Pick<KubeClient, 'as'>, user: string, disk: DataDisk, until: string) {
  await client.as(user).mergePatch(resourceOf(dataDisk), { ...targetOf(disk), body: { spec: { files: { until } } } });
}
