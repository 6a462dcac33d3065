// Stored files, with the object store that the configuration names.
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import type { Config } from '../../platform/config.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Platform } from '../../platform/open.ts';
import { readKeyPair } from '../../platform/read-key-pair.ts';
import type { Billing } from '../billing/open.ts';
import { chargeStorage, storagePrice } from '../billing/tokens/storage-charges.ts';
import type { Cluster } from '../kinds/open-cluster.ts';
import { openStoredFiles, type StoredFiles } from './stored-files.ts';
import { objectOf } from './stored-objects.ts';

/** Resolves once the store has its bucket. Throws BadConfig; a store that is away is waited for later, call by call. */
export async function openFiles(
  { config, db, log, clock }: Pick<Platform, 'config' | 'db' | 'log' | 'clock'>,
  { cluster, billing }: { cluster: Pick<Cluster, 'cache'>; billing: Pick<Billing, 'tariffs' | 'wallets'> },
): Promise<StoredFiles> {
  const store = storeOf(config);
  await store?.open().catch((error: unknown) => log.warn({ err: error }, 'the object store could not be prepared'));
  return openStoredFiles({
    ...{ db, log, clock, store },
    storage: {
      priceOf: (id, owner, at) =>
        config.billing === 'on' ? storagePrice(billing.tariffs.of(id), owner, at) : undefined,
      charge: (charges, also) => chargeStorage(billing.wallets, charges, also),
    },
    quotaGi: (id) => cluster.cache.get<Organization>(organization, undefined, id)?.spec?.quota?.modelsGi,
  });
}

/** Whether the store has a file: asked at the end of a restore. */
export const storedBlobs = (config: Config) => {
  let store: ObjectStore | undefined;
  return async (blob: { digest: string; object: string | null }, sizeBytes: number): Promise<boolean | undefined> => {
    try {
      store ??= storeOf(config);
      return store && (await store.size(objectOf(blob))) === sizeBytes;
    } catch {
      return undefined;
    }
  };
};

/** Rejects where the object store does not answer. Undefined: the installation has none. */
export function objectStoreProbe(config: Config): (() => Promise<void>) | undefined {
  const store = storeOf(config);
  return store && (() => store.open());
}

function storeOf({ objectStoreUrl: url, objectStoreCredentialsFile, ...config }: Config): ObjectStore | undefined {
  if (url === '') return undefined;
  const keys = readKeyPair('--object-store-credentials-file', objectStoreCredentialsFile);
  if (keys === undefined)
    throw new BadConfig('--object-store-credentials-file: must name the file of the keys of --object-store-url');
  return new ObjectStore({ url, bucket: config.objectStoreBucket, region: config.objectStoreRegion, ...keys });
}
