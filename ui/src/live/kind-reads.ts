// Which reads show a kind, and which follow from it: what a change of it is written into, and what is read again after it.
import type { Call } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';

export interface KindReads {
  /** What a stream's `reset` calls it. */
  readonly plural: string;
  /** The detail, by `params.id`, and the list; their answers are the views that a change carries. */
  readonly shows?: { readonly one: Pick<Call, 'id'>; readonly many: Pick<Call, 'id'> };
  /** Reads that other things decide, too: stock, mounts, money. */
  readonly touches: readonly Pick<Call, 'id'>[];
}

export const KIND_READS: Readonly<Record<string, KindReads>> = {
  GpuInstance: {
    plural: 'gpuinstances',
    shows: { one: CALLS.getInstance, many: CALLS.listInstances },
    touches: [CALLS.listMounts, CALLS.listGpuSpecs, CALLS.getWalletBalances, CALLS.getMyOrganization],
  },
  GpuHost: {
    plural: 'gpuhosts',
    shows: { one: CALLS.getHost, many: CALLS.listHosts },
    touches: [CALLS.listGpuSpecs, CALLS.listHostTags, CALLS.getWalletBalances, CALLS.getMyOrganization],
  },
  DataDisk: {
    plural: 'datadisks',
    shows: { one: CALLS.getDisk, many: CALLS.listDisks },
    touches: [CALLS.listMounts, CALLS.getWalletBalances],
  },
  Image: { plural: 'images', shows: { one: CALLS.getImage, many: CALLS.listImages }, touches: [] },
  Snapshot: { plural: 'snapshots', shows: { one: CALLS.getSnapshot, many: CALLS.listSnapshots }, touches: [] },
  Organization: { plural: 'organizations', touches: [CALLS.getMyOrganization] },
};

export const readsOfPlural = (plural: string): KindReads | undefined =>
  Object.values(KIND_READS).find((reads) => reads.plural === plural);
