// Where bytes are in the store, and how the store's absence is told.
import { problem } from '@gantry/contract/http/problem.ts';
import { type ObjectStore, StoreAway } from '../../platform/object-store/object-store.ts';

/** A file's bytes until they are checked. */
export const stagingKey = (fileId: string): string => `staging/${fileId}`;
/** And afterwards, once for all files that are equal. */
export const blobKey = (digest: string): string => `blobs/sha256/${digest.slice(0, 2)}/${digest}`;

/** Throws model_store_off where there is none. */
export function demandStore(store: ObjectStore | undefined): ObjectStore {
  if (!store) throw problem('model_store_off');
  return store;
}

/** For calls: a store that is away is a problem of its own. */
export const orAway = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw error instanceof StoreAway ? problem('model_store_away', {}, { retryAfterSeconds: 2, cause: error }) : error;
  });
