// Reasons that keep a run from beginning: its host, its disks, the organisation's quota, and, without a queue, room for all of its workers
// at once. Everything is a reason with its numbers.
import { workersOf } from '@gantry/contract/fields/task.ts';
import { rootRoom } from '@gantry/contract/kinds/instance-limits.ts';
import { quotaSaid } from '@gantry/contract/kinds/quota-said.ts';
import { CREDIT_QUOTA } from '@gantry/contract/names.ts';
import { quoted } from '@gantry/contract/said.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import { copiesIn } from '@gantry/kube/asks.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { placingIn } from '@gantry/kube/placement.ts';
import { suitedTo } from '@gantry/kube/suited-nodes.ts';
import type { Room } from '../pool.ts';
import { busyHost, diskTrouble, missingHost, quotaLacking } from '../prerequisites.ts';
import { desiredBatchJob } from './desired.ts';
import type { Facts } from './facts.ts';
import type { Trouble } from './ran.ts';

type Inputs = Omit<Facts, 'trouble' | 'hopeless'>;
const MOST_DETAIL = 1000;

/** The first that is missing; undefined where a run may be begun, or its batch Job is there already. */
export function neededFor(f: Inputs): Trouble | undefined {
  if (f.deleting) return undefined;
  const hopeless = hopelessFor(f);
  if (f.batch) return f.run?.admittedAt === undefined ? hopeless : undefined;
  const { spec } = f.owner;
  return (
    missingHost(spec, f.seen.host) ??
    missingDisk(f) ??
    busyHost(spec, f.seen.host) ??
    busyDisk(f) ??
    closed(f) ??
    refusedBy(f.refusals.filter(({ kind }) => kind === 'Job')) ??
    hopeless ??
    f.ran.waitsFor?.(f.owner, f.settings) ??
    quotaFor(f, f.isQueueUsed ? {} : (f.seen.quota?.status?.used ?? {})) ??
    (f.isQueueUsed && f.run?.unplaced === undefined ? undefined : roomFor(f))
  );
}

function missingDisk({ owner: { spec }, seen: { disks } }: Inputs): Trouble | undefined {
  const missing = spec.mounts?.find(({ from }) => !disks.some(({ metadata }) => metadata.name === from));
  return missing && { reason: 'DiskNotFound', args: { disk: missing.from } };
}

function busyDisk({ owner: { kind, metadata, spec }, seen: { disks } }: Inputs): Trouble | undefined {
  const workers = workersOf(spec);
  const single = workers > 1 ? disks.find((disk) => disk.spec.access !== 'Many') : undefined;
  if (single) return { reason: 'DiskForOneWorker', args: { disk: single.metadata.name, workers: String(workers) } };
  const holder = { kind, name: metadata.name, host: spec.host };
  return disks.map((disk) => diskTrouble(holder, disk)).find((trouble) => trouble !== undefined);
}

/** The quota that closes an organisation without credit, in billing's words. */
const closed = ({ seen: { namespace } }: Inputs): Trouble | undefined =>
  namespace.outOfCredit === undefined
    ? undefined
    : { reason: 'OutOfCredit', args: { detail: namespace.outOfCredit.slice(0, MOST_DETAIL) } };

export function refusedBy([refusal]: readonly Refusal[]): Trouble | undefined {
  if (!refusal) return undefined;
  if (refusal.reason === 'AlreadyExists') return { reason: 'NameTaken', args: { name: refusal.name } };
  const detail = refusal.message.slice(0, MOST_DETAIL);
  if (refusal.message.includes(`quota: ${CREDIT_QUOTA},`)) return { reason: 'OutOfCredit', args: { detail } };
  const quota = quotaSaid(refusal.message);
  return quota ? { reason: 'QuotaExceeded', args: quoted('detail', quota) } : { reason: 'Refused', args: { detail } };
}

/** A batch Job whose Pods the quota refuses would start in part. `others`: what is used of it. In a queue, that is waited for. */
const quotaFor = (
  { owner: { spec }, seen: { quota } }: Inputs,
  others: Readonly<Record<string, string>> = {},
): Trouble | undefined => quotaLacking(spec, workersOf(spec), quota, others);

/** Room for all workers on the nodes that they may go to. */
function roomFor({ ran, owner, seen, settings, status }: Inputs): Trouble | undefined {
  const { spec } = owner;
  const { gpu } = spec;
  const workers = workersOf(spec);
  if (!seen.room) return undefined;
  const template = desiredBatchJob(ran, owner, status.run ?? { seq: 1, cause: 'first' }, seen, settings).spec.template;
  const waiting = { metadata: { ...template.metadata, name: '' }, spec: template.spec } as unknown as Pod;
  const isExcluded = ({ name }: Room) => status.excludedNodes?.includes(name) ?? false;
  const { models, open, closed } = suitedTo(seen.room, gpu, placingIn(waiting), isExcluded);
  if (gpu && !models.includes(gpu.model))
    return { reason: 'UnknownGpuModel', args: { model: gpu.model, models: models.join(', ') || '–' } };
  if (closed) return { reason: 'NodesClosed', args: quoted('detail', closed) };
  const size = {
    gpus: gpu?.count ?? 0,
    cores: spec.cores,
    memoryGi: spec.memoryGi,
    rootGi: rootRoom(spec).requestMi / 1024,
  };
  const fitting = open.reduce((sum, one) => sum + copiesIn(one, size), 0);
  if (fitting >= workers) return undefined;
  const free = open.reduce((sum, { freeGpus }) => sum + Math.max(0, freeGpus), 0);
  return gpu && workers === 1 && !open.some(({ freeGpus }) => freeGpus >= gpu.count)
    ? { reason: 'WaitingForGpus', args: { count: String(gpu.count), model: gpu.model, free: String(free) } }
    : { reason: 'NotEnoughForAll', args: { workers: String(workers), fitting: String(fitting) } };
}

/** The cards of a model that workers of this size could have at the same time if the pool were empty, or what the largest node has. */
function mostOf(rooms: readonly Room[], { model, count }: { model: string; count: number }): number {
  const suited = rooms.filter((one) => one.model === model && one.host === undefined);
  const whole = suited.reduce((sum, { gpus }) => sum + Math.floor(gpus / count) * count, 0);
  return whole > 0 ? whole : Math.max(0, ...suited.map(({ gpus }) => gpus));
}

/** A fault that waiting does not solve: only another spec, quota or node does. Nothing is reserved for it, and it is in no queue. */
export const hopelessFor = (f: Inputs): Trouble | undefined =>
  f.run?.startedAt === undefined && !f.isTemplate
    ? (f.ran.trouble?.(f.owner) ?? quotaFor(f) ?? tooManyCards(f))
    : undefined;

/** More cards than the pool has, whatever is free of it. */
function tooManyCards({ owner: { spec }, seen: { room } }: Inputs): Trouble | undefined {
  const { gpu, host } = spec;
  if (!gpu || !room || host !== undefined) return undefined;
  const most = mostOf(room, gpu);
  const wanted = gpu.count * workersOf(spec);
  if (most >= wanted) return undefined;
  if (most === 0) {
    const models = [...new Set(room.flatMap((one) => (one.host === undefined ? (one.model ?? []) : [])))].sort();
    return { reason: 'UnknownGpuModel', args: { model: gpu.model, models: models.join(', ') || '–' } };
  }
  return { reason: 'NotFitting', args: { count: String(wanted), model: gpu.model, most: String(most) } };
}
