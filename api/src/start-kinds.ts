// Joins the parts of the kinds: the connection to the cluster, the caches, the store and its routes.
import { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { Credentials } from '@gantry/kube/credentials.ts';
import { KubeConfig } from '@kubernetes/client-node';
import type { Logger } from 'pino';
import { kindRoutes } from './http/kind-routes.ts';
import type { Served } from './http/serve.ts';
import { KindStore } from './kube/kind-store.ts';
import type { Region } from './kube/to-view.ts';
import { WatchCache } from './kube/watch-cache.ts';

/** Owns what the gateway writes on the cluster, and is its name in the API server's logs. */
const FIELD_MANAGER = 'gantry-gateway';

export interface Cluster {
  client: KubeClient;
  credentials: Credentials;
}

/** `kubeconfig` is a file, or '' for the usual places. Nothing is asked yet. */
export function openCluster(kubeconfig: string, clock: Clock): Cluster {
  const load = () => {
    const config = new KubeConfig();
    if (kubeconfig) config.loadFromFile(kubeconfig);
    else config.loadFromDefault();
    return config;
  };
  const credentials = new Credentials(load, clock);
  return { client: new KubeClient(credentials, { fieldManager: FIELD_MANAGER }), credentials };
}

export interface Kinds {
  store: KindStore;
  cache: WatchCache;
  routes: Served[];
  /** Resolves once every cache has been filled: until then kinds answer 503, and everything else works. */
  filled: Promise<void>;
}

/** Follows the cluster until the signal. */
export function startKinds(
  {
    cluster: { client, credentials },
    clock,
    log,
    region,
  }: { cluster: Cluster; clock: Clock; log: Pick<Logger, 'info' | 'warn'>; region: Region },
  signal: AbortSignal,
): Kinds {
  const cache = new WatchCache({ client, clock, log });
  const store = new KindStore({ cache, client, region });
  signal.addEventListener('abort', () => credentials.close());
  return { store, cache, routes: kindRoutes(store), filled: cache.start(signal) };
}
