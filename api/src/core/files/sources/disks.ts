// Disks, as others read them: page by page, on a member's behalf.
import type { Readable } from 'node:stream';
import { problem } from '@gantry/contract/http/problem.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import type { Caller } from '../../../platform/http/caller.ts';

/** On whose behalf a disk is read. */
export interface DiskMember {
  account: { id: string };
  organization: { id: string; namespace: string };
}

export interface Disks {
  has(member: DiskMember, disk: string): boolean;
  /** One page of a folder. Throws problems. */
  list(
    member: DiskMember,
    disk: string,
    asked: { path: string; page: number; signal: AbortSignal },
  ): Promise<{ entries: readonly { name: string; type: string; sizeBytes: number }[]; total: number }>;
  /** `size` is that of the whole file; `tag` differs once its content does. Throws problems. */
  read(
    member: DiskMember,
    disk: string,
    asked: { path: string; from: number; signal: AbortSignal },
  ): Promise<{ tag: string; size: number; from: number; body: Readable }>;
}

/** Throws no_such_reference. */
export function demandDisk(disks: Pick<Disks, 'has'>, caller: Caller, disk: string): void {
  if (disks.has(caller, disk)) return;
  throw problem('no_such_reference', { what: dataDisk.words[caller.account.locale], name: disk }, { field: 'disk' });
}
