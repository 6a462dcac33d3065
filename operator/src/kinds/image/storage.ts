// The billed storage of an image made from an instance: the bytes copied for it into the registry, from then until it is deleted. Other
// images are stored elsewhere, or are the platform's.

import { LEAST_SAVED_BYTES, sizeUse } from '@gantry/contract/billing/resources.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import type { Image, ImageStatus } from '@gantry/contract/kinds/image.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { CreditGate } from '../../credit.ts';
import { instant, kept, stretched, wholeSeconds } from '../../metering.ts';

/** The part of the status that billing reads. */
export function storageOf(
  owner: Image,
  copy: Snapshot | undefined,
  { now, creditGate }: { now: Instant; creditGate: CreditGate },
): Pick<ImageStatus, 'savedBytes' | 'intervals'> {
  const { metadata, status } = owner;
  const isCopied = copy?.status?.phase === 'ready';
  const savedBytes = (isCopied ? copy.status?.totalBytes : undefined) ?? status?.savedBytes;
  const deletedAt = instant(metadata.deletionTimestamp);
  const bytes = deletedAt === undefined ? (savedBytes ?? 0) : 0;
  const next = stretched(status?.intervals ?? [], {
    subjectUID: identityOf(owner),
    uses: bytes >= LEAST_SAVED_BYTES ? [sizeUse('snapshot', bytes)] : [],
    at: Math.min(deletedAt ?? instant(copy?.status?.finishedAt) ?? wholeSeconds(now), now),
  });
  const intervals = kept(next, owner, creditGate);
  return {
    ...(savedBytes !== undefined && { savedBytes }),
    ...(intervals.length > 0 && { intervals: [...intervals] }),
  };
}
