// The holders of a disk. A single-writer disk has one holder: whoever holds it in a Pod, otherwise the previous holder, otherwise the
// oldest.
import type { DataDisk, DataDiskStatus } from '@gantry/contract/kinds/data-disk.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { restOf } from '@gantry/contract/kinds/gpu-instance-powers.ts';
import { type Job, job } from '@gantry/contract/kinds/job.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { controllerOf } from '../../resources.ts';
import type { DiskSeen } from './reads.ts';

export type Mount = NonNullable<DataDiskStatus['mountedBy']>[number];

interface Candidate extends Mount {
  /** A Pod of it holds the claim. */
  carries: boolean;
  /** The host it runs on; of a host its own name. */
  host: string | undefined;
  since: string;
}

/** At most as many as a status may hold. */
const MOST = 1024;

export function holdersOf(
  owner: DataDisk,
  { instances, hosts, jobs }: Pick<DiskSeen, 'instances' | 'hosts' | 'jobs'>,
  users: readonly Pod[],
): readonly Mount[] {
  const candidates = [
    ...hosts.filter(({ metadata }) => !metadata.deletionTimestamp).map((host) => hostOf(host, owner)),
    ...instancesOf(owner, instances, users),
    ...jobsOf(owner, jobs, users),
  ].sort(byClaim(owner.status?.mountedBy ?? []));
  const holders = owner.spec.access === 'Many' ? candidates : singleOf(candidates);
  return holders
    .slice(0, MOST)
    .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
    .map(({ kind, name, mountPath, carries }) => ({
      kind,
      name,
      ...(mountPath !== undefined && { mountPath }),
      // A host has it for its instances, at once.
      ...(kind !== gpuHost.kind && !carries && { atNextStart: true }),
    }));
}

const idOf = ({ kind, name }: Mount): string => `${kind} ${name}`;

const mountPathOf = ({ spec }: GpuInstance | GpuHost, { metadata }: DataDisk): string | undefined =>
  spec.disks?.find(({ name }) => name === metadata.name)?.mountPath;

const hostOf = (host: GpuHost, owner: DataDisk): Candidate =>
  candidate(gpuHost.kind, host.metadata.name, {
    mountPath: mountPathOf(host, owner),
    carries: false,
    host: host.metadata.name,
    since: host.metadata.creationTimestamp ?? '',
  });

function candidate(
  kind: Mount['kind'] | string,
  name: string,
  { mountPath, ...more }: Omit<Candidate, keyof Mount> & { mountPath: string | undefined },
): Candidate {
  return { kind: kind as Mount['kind'], name, ...(mountPath !== undefined && { mountPath }), ...more };
}

/** Instances that name it and are not shut down; and those whose Pod still has it, named or not. */
function instancesOf(owner: DataDisk, instances: readonly GpuInstance[], users: readonly Pod[]): Candidate[] {
  const carriers = new Set(users.flatMap((pod) => controllerOf(pod, gpuInstance.kind).map(({ name }) => name)));
  const named = instances.filter(
    ({ metadata, spec }) =>
      carriers.has(metadata.name) ||
      (!metadata.deletionTimestamp && (spec.power === 'Running' || restOf(spec.power)?.keepsDisks === true)),
  );
  const unnamed = [...carriers].filter((name) => !instances.some(({ metadata }) => metadata.name === name));
  const before = (name: string) =>
    owner.status?.mountedBy?.find((one) => one.kind === gpuInstance.kind && one.name === name)?.mountPath;
  return [
    ...named.map((instance) =>
      candidate(gpuInstance.kind, instance.metadata.name, {
        mountPath: mountPathOf(instance, owner),
        carries: carriers.has(instance.metadata.name),
        host: instance.spec.host,
        since: instance.metadata.creationTimestamp ?? '',
      }),
    ),
    ...unnamed.map((name) =>
      candidate(gpuInstance.kind, name, { mountPath: before(name), carries: true, host: undefined, since: '' }),
    ),
  ];
}

/** Jobs whose workers have it, and those whose run waits for it: a job that has ended leaves it to others. */
function jobsOf(owner: DataDisk, jobs: readonly Job[], users: readonly Pod[]): Candidate[] {
  const disk = owner.metadata.name;
  const carriers = new Set(
    users.flatMap(({ metadata: { labels } }) => (labels?.[LABEL.kind] === job.kind ? (labels[LABEL.name] ?? []) : [])),
  );
  const waits = ({ metadata, spec, status }: Job) =>
    !metadata.deletionTimestamp && spec.power === 'Running' && status?.run !== undefined && !status.run.endedAt;
  const named = jobs.filter((one) => !carriers.has(one.metadata.name) && waits(one));
  const of = (name: string, one: Job | undefined) =>
    candidate(job.kind, name, {
      mountPath: one?.spec.mounts?.find(({ from }) => from === disk)?.mountPath,
      carries: carriers.has(name),
      host: one?.spec.host,
      since: one?.metadata.creationTimestamp ?? '',
    });
  return [
    ...[...carriers].map((name) =>
      of(
        name,
        jobs.find(({ metadata }) => metadata.name === name),
      ),
    ),
    ...named.map((one) => of(one.metadata.name, one)),
  ];
}

const byClaim = (before: readonly Mount[]) => {
  const rank = (one: Candidate): string => {
    const had = before.some((mount) => idOf(mount) === idOf(one));
    return `${one.carries ? 0 : 1}${had ? 0 : 1} ${one.since} ${idOf(one)}`;
  };
  return (a: Candidate, b: Candidate): number => (rank(a) < rank(b) ? -1 : 1);
};

/** The first, and with it whom a host shares its disk with: the host itself, and one that runs on it. */
function singleOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const [first] = candidates;
  if (!first) return [];
  const host = candidates.find(({ kind, name }) => kind === gpuHost.kind && name === first.host);
  if (!host) return [first];
  const instance = candidates.find((one) => one.kind !== gpuHost.kind && one.host === host.name);
  return instance ? [host, instance] : [host];
}
