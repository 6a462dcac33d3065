// A cache of every object of one collection, kept current by list and watch for as long as the process lives.
import {
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  ListWatch,
  type ObjectCache,
  Watch,
} from '@kubernetes/client-node';
import { mustCallApi } from './api-call.ts';
import { kubeconfigFile } from './certificates.ts';
import type { Layout } from './layout.ts';

const RETRY_MS = 500;

/** Resolves once the first list is in. `changed` hears of every object that comes, changes or goes, those of the first
 * list included. An API server that is away is asked again until it is back. */
export async function watchObjects<T extends KubernetesObject>(
  cluster: Layout,
  path: string,
  changed: (object: T) => void,
): Promise<ObjectCache<T>> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigFile(cluster, 'admin'));
  const list = async (): Promise<KubernetesListObject<T>> => JSON.parse((await mustCallApi(cluster, { path })).body);
  const cache = new ListWatch<T>(path, new Watch(config), list, false);
  const listed = Promise.withResolvers<void>();
  const start = async () => {
    await cache.start();
    if (cache.latestResourceVersion() !== '') listed.resolve();
  };
  cache.on('change', changed);
  cache.on('error', (error?: Error) => {
    console.error(`watch ${path}: ${error?.message ?? 'ended'}; again in ${RETRY_MS} ms`);
    setTimeout(() => void start(), RETRY_MS);
  });
  await start();
  await listed.promise;
  return cache;
}
