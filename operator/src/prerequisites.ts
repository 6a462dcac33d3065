// The prerequisites of a program before it may start: its quota, its cards, its host and its disks, which are present and open, waited for,
// or a mistake.
import { GI, quantity } from '@gantry/contract/fields/quantity.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { DETAILS } from '@gantry/contract/kinds/details.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { overQuota } from '@gantry/contract/kinds/quota-said.ts';
import { GPU_RESOURCE } from '@gantry/contract/names.ts';
import { type Args, quoted, said, saidByStatus } from '@gantry/contract/said.ts';
import type { Quota } from './resources.ts';

/** Every kind that runs programs has these reasons, in words of its own. */
type Need<Reason extends string> = { reason: Reason; args: Args } | undefined;

/** Letters: a status has its limits. */
const MOST_MODELS = 1000;

/** A host that is not there, or that takes nothing new any more. */
export function missingHost(
  { host: name }: { host?: string | undefined },
  host: GpuHost | undefined,
): Need<'HostNotFound' | 'HostExpired'> {
  if (name === undefined) return undefined;
  if (!host || host.metadata.deletionTimestamp) return { reason: 'HostNotFound', args: { host: name } };
  const { phase } = host.status ?? {};
  return phase === 'expired' || phase === 'draining' ? { reason: 'HostExpired', args: { host: name } } : undefined;
}

/** One that is not active yet, or not any more for a while, is waited for. */
export function busyHost(
  { host: name }: { host?: string | undefined },
  host: GpuHost | undefined,
): Need<'HostNotReady'> {
  if (name === undefined || !host || host.status?.phase === 'active') return undefined;
  const why = host.status?.message ? saidByStatus(gpuHost.kind, host.status) : said(DETAILS.hostPrepared);
  return { reason: 'HostNotReady', args: { host: host.metadata.name, ...quoted('detail', why) } };
}

/** A program of this size needs another spec or node. `cards`: the most that one node has, by model. */
export function cardsLacking(
  { model, count }: { model: string; count: number },
  cards: ReadonlyMap<string, number>,
): Need<'UnknownGpuModel' | 'TooManyGpus'> {
  const most = cards.get(model) ?? 0;
  if (most >= count) return undefined;
  if (most > 0) return { reason: 'TooManyGpus', args: { count: String(count), model, most: String(most) } };
  const models = [...cards.keys()].sort().join(', ').slice(0, MOST_MODELS);
  return { reason: 'UnknownGpuModel', args: { model, models: models || '–' } };
}

/** The requests of each of a program's Pods. */
interface Size {
  gpu?: { count: number } | undefined;
  cores: number;
  memoryGi: number;
}

/**
 * So many Pods of this size are more than the organisation's quota allows. `others`: what is used of it; without, no waiting helps:
 * only another spec or quota does.
 */
export function quotaLacking(
  { gpu, cores, memoryGi }: Size,
  pods: number,
  quota: Quota | undefined,
  others: Readonly<Record<string, string>> = {},
): Need<'QuotaExceeded'> {
  const { hard = {} } = quota?.spec ?? {};
  const { used = {} } = quota?.status ?? {};
  const cards = pods * (gpu?.count ?? 0);
  const needs: Readonly<Record<string, [amount: number, text: string]>> = {
    [`requests.${GPU_RESOURCE}`]: [cards, `${cards}`],
    'requests.cpu': [pods * cores, `${Math.round(pods * cores * 1000)}m`],
    'requests.memory': [pods * memoryGi * GI, `${Math.ceil(pods * memoryGi * 1024)}Mi`],
    pods: [pods, `${pods}`],
  };
  for (const [resource, [amount, requested]] of Object.entries(needs)) {
    const limit = hard[resource];
    if (limit === undefined || amount === 0 || !(quantity(others[resource] ?? '0') + amount > quantity(limit)))
      continue;
    const detail = overQuota(resource, { requested, used: used[resource] ?? '0', limit });
    return { reason: 'QuotaExceeded', args: quoted('detail', detail) };
  }
  return undefined;
}

/** The object that wants to mount the disk, and its host. */
interface Holder {
  kind: string;
  name: string;
  host: string | undefined;
}

/** Why an existing disk cannot be mounted by this one now. */
export function diskTrouble(holder: Holder, disk: DataDisk): Need<'DiskNotReady' | 'DiskOnHost' | 'DiskInUse'> {
  const { name, deletionTimestamp } = disk.metadata;
  const { phase, mountedBy = [], message } = disk.status ?? {};
  if (deletionTimestamp)
    return { reason: 'DiskNotReady', args: { disk: name, ...quoted('detail', said(DETAILS.diskDeleted)) } };
  // The holder of a single-writer disk is decided where all candidates are visible.
  if (mountedBy.some((one) => one.kind === holder.kind && one.name === holder.name)) return undefined;
  const why = message && disk.status ? saidByStatus(dataDisk.kind, disk.status) : said(DETAILS.diskMade);
  if (phase !== 'active' && phase !== 'mounted')
    return { reason: 'DiskNotReady', args: { disk: name, ...quoted('detail', why) } };
  if (disk.spec.access === 'Many') return undefined;
  const ofHost = mountedBy.find(({ kind }) => kind === gpuHost.kind);
  if (ofHost && ofHost.name !== holder.host) return { reason: 'DiskOnHost', args: { disk: name, host: ofHost.name } };
  const by = mountedBy.find(({ kind }) => kind !== gpuHost.kind);
  return by
    ? { reason: 'DiskInUse', args: { disk: name, by: by.name } }
    : { reason: 'DiskNotReady', args: { disk: name, ...quoted('detail', said(DETAILS.diskAssigned)) } };
}
