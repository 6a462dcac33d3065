// The parts of this room, joined: what areas lean on whose versions have files.
import type { Clock } from '@gantry/kube/clock.ts';
import type { Database } from '../../platform/db/open.ts';
import { Turn } from '../../platform/db/turn.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { Arrivals, type ArrivalsParts } from './arrivals.ts';
import { type AtOnce, downloadsAtOnce, piecesAtOnce } from './at-once.ts';
import { Blobs } from './blobs.ts';
import type { OwnerKind } from './owner-kind.ts';
import { Pieces } from './pieces.ts';
import { SmallFiles } from './small-files.ts';
import { StorageMeter, type StorageMeterParts } from './storage-meter.ts';
import { StoredBlobs } from './stored-blobs.ts';

export interface StoredFilesParts {
  db: Database;
  clock: Clock;
  /** Undefined where the installation has none: nothing arrives then. */
  store: ObjectStore | undefined;
  /** GiB; undefined while the cluster does not have the organisation. */
  quotaGi(organizationId: string): number | undefined;
  /** What keeping files costs. */
  storage: Pick<StorageMeterParts, 'priceOf' | 'charge'>;
  turnMs?: ArrivalsParts['turnMs'];
  windowMs?: ArrivalsParts['windowMs'];
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
}

export interface StoredFiles extends Pick<StoredFilesParts, 'store' | 'quotaGi'> {
  /** Undefined where there is no store. */
  blobs: StoredBlobs | undefined;
  pieces: Pick<Pieces, 'append'>;
  /** Pieces that people send, and downloads, are within these, of whichever owner. */
  piecesAtOnce: AtOnce;
  downloadsAtOnce: AtOnce;
  /** Before the start. */
  addOwner(kind: OwnerKind): void;
  /** Something waits to be fetched, checked or swept: it is looked at now instead of in a few seconds. */
  wake(): void;
  start(): void;
  stop(): Promise<void>;
}

export function openStoredFiles({ store, ...parts }: StoredFilesParts): StoredFiles {
  const kinds: OwnerKind[] = [];
  const inPieces = new Pieces(parts);
  const pieces = store ? new SmallFiles(inPieces, new Blobs({ ...parts, store })) : inPieces;
  const arrivals = store && new Arrivals({ ...parts, store, pieces, kinds });
  const meter = new StorageMeter({ ...parts, ...parts.storage });
  // Their names are those that gateways of earlier versions take turns by.
  const arriving = new Turn(parts, 'models');
  const metering = new Turn(parts, 'model-storage');
  return {
    ...{ store, blobs: store && new StoredBlobs({ ...parts, store }), pieces, quotaGi: parts.quotaGi },
    ...{ piecesAtOnce: piecesAtOnce(parts.clock), downloadsAtOnce: downloadsAtOnce(parts.clock) },
    addOwner: (kind) => void kinds.push(kind),
    wake: () => arrivals?.wake(),
    start() {
      if (arrivals) arriving.start((signal) => arrivals.work(signal));
      metering.start((signal) => meter.run(signal));
    },
    async stop() {
      await metering.stop();
      if (arrivals) await arriving.stop();
      store?.close();
    },
  };
}
