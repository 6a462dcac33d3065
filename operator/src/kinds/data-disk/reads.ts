// The objects that a DataDisk's plan reads, and the disks that a change affects.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { type Job, job } from '@gantry/contract/kinds/job.ts';
import { FILES_SUFFIX } from '@gantry/contract/names.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import type { CacheReader, Key, Resource } from '@gantry/kube/resource.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import type { Read, Seen } from '../../define-controller.ts';
import {
  CLAIM,
  type Claim,
  hostnameOf,
  NODE,
  POD,
  STORAGE_CLASS,
  type StorageClass,
  tiedTo,
  VOLUME,
  type Volume,
} from '../../resources.ts';
import { claimName, diskOfClaim, filesName } from './desired.ts';

/** `<namespace>/<disk>` of every disk that an instance, a host or a job names. */
function namesDisk(object: KubeObject): readonly string[] {
  const { disks, mounts } = (object as Partial<GpuInstance | GpuHost | Job>).spec as Partial<
    GpuInstance['spec'] & Job['spec']
  >;
  const names = [...(disks ?? []).map(({ name }) => name), ...(mounts ?? []).map(({ from }) => from)];
  return names.map((name) => `${object.metadata.namespace}/${name}`);
}

const DISK: Resource = {
  ...resourceOf(dataDisk),
  indexes: { diskClass: (object) => [(object as DataDisk).spec.storageClassName ?? ''] },
};
const INSTANCE: Resource = { ...resourceOf(gpuInstance), indexes: { namesDisk } };
const HOST: Resource = { ...resourceOf(gpuHost), indexes: { namesDisk } };
const JOB: Resource = { ...resourceOf(job), indexes: { namesDisk } };

const keyOf = (namespace: string | undefined, name: string): Key => ({ name, ...(namespace && { namespace }) });
const keyFrom = (text: string): Key => {
  const [namespace, name = ''] = text.split('/');
  return keyOf(namespace, name);
};

/** By its name, whoever created it: a foreign one is recognised by its owner. */
const claim: Read<DataDisk, Claim | undefined> = {
  of: CLAIM,
  find: (owner, caches) => caches.get(CLAIM, owner.metadata.namespace, claimName(owner)) as Claim | undefined,
  wakes({ before, after }) {
    const { namespace, name = '' } = (after ?? before)?.metadata ?? {};
    const disk = diskOfClaim(name);
    return disk === undefined ? [] : [keyOf(namespace, disk)];
  },
};

/** Looked at by the name that is in the books too: it may outlive its claim. */
const volume: Read<DataDisk, Volume | undefined> = {
  of: VOLUME,
  also: [CLAIM],
  find(owner, caches) {
    const name = claim.find(owner, caches)?.spec?.volumeName ?? owner.status?.volumeName;
    return name === undefined ? undefined : (caches.get(VOLUME, undefined, name) as Volume | undefined);
  },
  wakes: ({ before, after }) => diskOf((after ?? before) as Volume),
};

function diskOf({ spec }: Volume): readonly Key[] {
  const { namespace, name = '' } = spec?.claimRef ?? {};
  const disk = diskOfClaim(name);
  return disk === undefined ? [] : [keyOf(namespace, disk)];
}

/** The one node on which its volume can be mounted, by its name. */
const tie: Read<DataDisk, string | undefined> = {
  of: NODE,
  also: [CLAIM, VOLUME],
  find: (owner, caches) => tiedTo(volume.find(owner, caches), caches),
  wakes({ before, after }, caches) {
    const [was, is] = [before, after].map((node) => node && hostnameOf(node as Node));
    return was === is ? [] : [was ?? [], is ?? []].flat().flatMap((one) => volumesOn(one, caches).flatMap(diskOf));
  },
};
const volumesOn = (hostname: string, caches: CacheReader) =>
  caches.by(VOLUME, 'hostname', hostname) as readonly Volume[];

/** Every Pod that uses the claim, and the file server even if it does not. */
const pods: Read<DataDisk, readonly Pod[]> = {
  of: POD,
  find(owner, caches) {
    const { namespace } = owner.metadata;
    const users = caches.by(POD, 'claim', `${namespace}/${claimName(owner)}`) as readonly Pod[];
    const server = caches.get(POD, namespace, filesName(owner)) as Pod | undefined;
    return server && !users.includes(server) ? [...users, server] : users;
  },
  wakes({ before, after }) {
    const pod = (after ?? before) as Pod;
    const { namespace, name } = pod.metadata;
    const claims = pod.spec?.volumes?.map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? '') ?? [];
    const served = name.endsWith(FILES_SUFFIX) ? [name.slice(0, -FILES_SUFFIX.length)] : [];
    const disks = new Set([...claims.flatMap((text) => diskOfClaim(text) ?? []), ...served]);
    return [...disks].map((disk) => keyOf(namespace, disk));
  },
};

const named = (resource: Resource, { metadata }: DataDisk, caches: CacheReader) =>
  caches.by(resource, 'namesDisk', `${metadata.namespace}/${metadata.name}`);

/** Both those that were named and those that are. */
const wakesNamed = ({ before, after }: { before?: KubeObject; after?: KubeObject }): readonly Key[] => [
  ...new Map(
    [before, after].flatMap((object) => (object ? namesDisk(object) : [])).map((text) => [text, keyFrom(text)]),
  ).values(),
];

const instances: Read<DataDisk, readonly GpuInstance[]> = {
  of: INSTANCE,
  find: (owner, caches) => named(INSTANCE, owner, caches) as readonly GpuInstance[],
  wakes: wakesNamed,
};

const hosts: Read<DataDisk, readonly GpuHost[]> = {
  of: HOST,
  find: (owner, caches) => named(HOST, owner, caches) as readonly GpuHost[],
  wakes: wakesNamed,
};

const jobs: Read<DataDisk, readonly Job[]> = {
  of: JOB,
  find: (owner, caches) => named(JOB, owner, caches) as readonly Job[],
  wakes: wakesNamed,
};

/** The one that was asked for, else the one that the cluster gave the claim. */
const storageClass: Read<DataDisk, StorageClass | undefined> = {
  of: STORAGE_CLASS,
  also: [DISK, CLAIM],
  find(owner, caches) {
    const name = owner.spec.storageClassName ?? claim.find(owner, caches)?.spec?.storageClassName ?? '';
    return caches.get(STORAGE_CLASS, undefined, name) as StorageClass | undefined;
  },
  wakes: ({ before, after }, caches) =>
    caches
      .by(DISK, 'diskClass', (after ?? before)?.metadata.name ?? '')
      .map(({ metadata }) => keyOf(metadata.namespace, metadata.name)),
};

export const reads = { claim, volume, tie, pods, instances, hosts, jobs, storageClass };
export type DiskSeen = Seen<typeof reads>;
