// Every object of one collection as a map, kept current by list and watch for as long as the process lives.
import {
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  ListWatch,
  Watch,
} from '@kubernetes/client-node';
import { mustCallApi } from './api-call.ts';
import { kubeconfigFile } from './certificates.ts';
import type { Layout } from './layout.ts';

const RETRY_MS = 500;

export interface Watching<T> {
  readonly keyOf: (object: T) => string;
  /** Told of every object that came, changed or went, those of the first list included. */
  readonly changed: (key: string, object: T) => void;
}

/** Resolves once the first list is in. An API server that is away is asked again until it is back. */
export async function watchObjects<T extends KubernetesObject>(
  cluster: Layout,
  path: string,
  { keyOf, changed }: Watching<T>,
): Promise<ReadonlyMap<string, T>> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigFile(cluster, 'admin'));
  const list = async (): Promise<KubernetesListObject<T>> => JSON.parse((await mustCallApi(cluster, { path })).body);
  const source = new ListWatch<T>(path, new Watch(config), list, false);
  const objects = new Map<string, T>();
  const seen = (object: T) => {
    objects.set(keyOf(object), object);
    changed(keyOf(object), object);
  };
  source.on('add', seen);
  source.on('update', seen);
  source.on('delete', (object) => {
    objects.delete(keyOf(object));
    changed(keyOf(object), object);
  });

  const listed = Promise.withResolvers<void>();
  const start = async () => {
    await source.start();
    if (source.latestResourceVersion() !== '') listed.resolve();
  };
  source.on('error', (error?: Error) => {
    console.error(`watch ${path}: ${error?.message ?? 'ended'}; again in ${RETRY_MS} ms`);
    setTimeout(() => void start(), RETRY_MS);
  });
  await start();
  await listed.promise;
  return objects;
}
