// Where bytes are in the store, and how the store's absence is told.
import { problem } from '@gantry/contract/http/problem.ts';
import { StoreAway } from '../../platform/object-store/object-store.ts';

/** Where a file arrives in pieces. The first of equal files stays there; what arrives of the others is removed. */
export const fileKey = (fileId: string): string => `files/${fileId}`;
/** Where small files are put. */
export const blobKey = (digest: string): string => `blobs/sha256/${digest.slice(0, 2)}/${digest}`;
/** Where a blob is. */
export const objectOf = ({ digest, object }: { digest: string; object: string | null }): string =>
  object ?? blobKey(digest);

/** Throws model_store_off where there is none. */
export function demandStore<Store>(store: Store | undefined): Store {
  if (!store) throw problem('model_store_off');
  return store;
}

/** For calls: a store that is away is a problem of its own. */
export const orAway = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw error instanceof StoreAway ? problem('model_store_away', {}, { retryAfterSeconds: 2, cause: error }) : error;
  });
