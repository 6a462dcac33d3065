// The cluster as the gateway knows it: its caches, and writing there as a member.
import { KINDS } from '@gantry/contract/kinds.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { checkCluster, isUnreachable } from '@gantry/kube/check-cluster.ts';
import { KubeClient } from '@gantry/kube/client.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { type Connection, Credentials } from '@gantry/kube/credentials.ts';
import type { PoolRules } from '@gantry/kube/placement.ts';
import { KubeConfig } from '@kubernetes/client-node';
import { type CacheLog, WatchCache } from '../../platform/kube/watch-cache.ts';
import { BILLING_MANAGER, BilledObjects } from './billed-objects.ts';
import { InstanceKeys } from './instance-keys.ts';
import { KindStore } from './kind-store.ts';
import { MemberTokens } from './member-tokens.ts';
import { OrganizationResources } from './organization-resources.ts';
import { homeOf } from './placed.ts';
import { RegistrySecrets } from './registry-secrets.ts';
import { SecretVariables } from './secret-variables.ts';
import type { Region } from './to-view.ts';

const FIELD_MANAGER = 'gantry-gateway';
/** Between two looks for an API server that is not there yet. */
const RETRY_MS = 500;

export interface Cluster {
  client: KubeClient;
  cache: WatchCache;
  kinds: KindStore;
  billed: BilledObjects;
  organizations: OrganizationResources;
  instanceKeys: InstanceKeys;
  memberTokens: MemberTokens;
  registrySecrets: RegistrySecrets;
  /** To the same API server without our credentials: for sending requests with somebody else's token. */
  anonymous(): Promise<Connection>;
  /** Resolves once everything has been seen; follows the cluster until the signal. Rejects where our kinds are not installed. */
  start(signal: AbortSignal): Promise<void>;
}

export function openCluster(parts: {
  kubeconfig: string;
  region: Region;
  clock: Clock;
  log: CacheLog;
  pool?: PoolRules;
}): Cluster {
  const { kubeconfig, region, clock, log } = parts;
  const credentials = new Credentials(() => loadKubeConfig(kubeconfig), clock);
  // Each stream of a tenant's holds one: what bounds them is counted where they come in.
  const anonymous = new Credentials(() => withoutUser(loadKubeConfig(kubeconfig)), clock, {
    mostSockets: Number.POSITIVE_INFINITY,
  });
  const labels = { [LABEL.region]: region.id };
  const client = new KubeClient(credentials, { fieldManager: FIELD_MANAGER, labels });
  const cache = new WatchCache({ client, clock, log });
  const billing = new KubeClient(credentials, { fieldManager: BILLING_MANAGER });
  const variables = new SecretVariables(client);
  const kinds = new KindStore({ cache, client, region, variables, ...(parts.pool && { pool: parts.pool }) });
  const billed = new BilledObjects({ cache, client: billing, clock, region });
  billed.limitTo((id) => homeOf(cache, id) === undefined);
  let isTied = false;
  return {
    client,
    cache,
    kinds,
    billed,
    organizations: new OrganizationResources({ client, cache }),
    instanceKeys: new InstanceKeys({ client, cache }),
    memberTokens: new MemberTokens(client),
    registrySecrets: new RegistrySecrets(client),
    anonymous: () => anonymous.connection(),
    async start(signal) {
      // A start that failed is tried again.
      if (!isTied)
        signal.addEventListener('abort', () => {
          credentials.close();
          anonymous.close();
        });
      isTied = true;
      await waitForCluster(client, { clock, log }, signal);
      await cache.start(signal);
    },
  };
}

/** The API server alone, for who follows nothing. `close` lets its connections go. */
export function openClient(kubeconfig: string, clock: Clock): { client: KubeClient; close(): void } {
  const credentials = new Credentials(() => loadKubeConfig(kubeconfig), clock);
  return { client: new KubeClient(credentials, { fieldManager: FIELD_MANAGER }), close: () => credentials.close() };
}

async function waitForCluster(
  client: KubeClient,
  { clock, log }: { clock: Clock; log: CacheLog },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await checkCluster(client, Object.values(KINDS));
      return;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      log.warn({ why: (error as Error).message }, 'waiting for the API server');
    }
    await pause(clock, RETRY_MS, signal);
  }
}

function loadKubeConfig(path: string): KubeConfig {
  const config = new KubeConfig();
  if (path) config.loadFromFile(path);
  else config.loadFromDefault();
  return config;
}

function withoutUser(config: KubeConfig): KubeConfig {
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new Error('the kubeconfig has no current cluster');
  const bare = new KubeConfig();
  bare.loadFromClusterAndUser(cluster, { name: 'nobody' });
  return bare;
}
