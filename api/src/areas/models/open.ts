// Models, with the object store and the hub that the configuration names.
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import { chargeStorage, storagePrice } from '../../core/billing/tokens/storage-charges.ts';
import { versionCachedOn } from '../../core/kinds/cached-models.ts';
import type { Core } from '../../core/open.ts';
import type { Config } from '../../platform/config.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Platform } from '../../platform/open.ts';
import { readKeyPair } from '../../platform/read-key-pair.ts';
import { type DiskFilesOf, disksOf, openDiskFiles } from '../instances/files/open.ts';
import { deploymentCluster, usersOfModels } from './open-deployments.ts';
import { type OpenModels, openModels } from './open-models.ts';
import { blobKey } from './parts.ts';

/** Resolves once the store has its bucket. Throws BadConfig; a store that is away is waited for later, call by call. */
export async function openModelArea(
  { config, db, log, clock }: Pick<Platform, 'config' | 'db' | 'log' | 'clock'>,
  { cluster, billing, people }: Pick<Core, 'cluster' | 'billing' | 'people'>,
): Promise<OpenModels> {
  const store = storeOf(config);
  await store?.open().catch((error: unknown) => log.warn({ err: error }, 'the object store could not be prepared'));
  const find: DiskFilesOf['find'] = (kind, namespace, name) => cluster.cache.get(kind, namespace, name);
  const files = openDiskFiles({ client: cluster.client, find, keyed: config.keyed, clock });
  const opened = openModels({
    ...{ db, log, clock, secrets: people.secrets },
    store,
    disks: disksOf(files, find),
    hubUrl: config.hubUrl,
    engineImages: config.engineImages,
    cluster: deploymentCluster(config, cluster),
    usedBy: usersOfModels(cluster),
    hasDeployment: (id, name) => find(modelDeployment, organizationNamespace(id), name) !== undefined,
    cachedOn: (organization, digest) => versionCachedOn(cluster.cache.reader, organization, digest, cluster.kinds.pool),
    storage: {
      priceOf: (id, at) => (config.billing === 'on' ? storagePrice(billing.tariffs.of(id), at) : undefined),
      charge: (charges, also) => chargeStorage(billing.wallets, charges, also),
    },
    quotaGi: (id) => cluster.cache.get<Organization>(organization, undefined, id)?.spec?.quota?.modelsGi,
  });
  return {
    ...opened,
    async stop() {
      await opened.stop();
      files.stop();
    },
  };
}

/** Whether the store has a model's file: asked at the end of a restore. */
export const storedBlobs = (config: Config) => {
  let store: ObjectStore | undefined;
  return async (digest: string, sizeBytes: number): Promise<boolean | undefined> => {
    try {
      store ??= storeOf(config);
      return store && (await store.size(blobKey(digest))) === sizeBytes;
    } catch {
      return undefined;
    }
  };
};

function storeOf({ objectStoreUrl: url, objectStoreCredentialsFile, ...config }: Config): ObjectStore | undefined {
  if (url === '') return undefined;
  const keys = readKeyPair('--object-store-credentials-file', objectStoreCredentialsFile);
  if (keys === undefined)
    throw new BadConfig('--object-store-credentials-file: must name the file of the keys of --object-store-url');
  return new ObjectStore({ url, bucket: config.objectStoreBucket, region: config.objectStoreRegion, ...keys });
}
