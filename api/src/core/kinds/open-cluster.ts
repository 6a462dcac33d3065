// The cluster as the gateway knows it: its caches, and writing there as a member.
import { LABEL } from '@gantry/contract/names.ts';
import { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { type Connection, Credentials } from '@gantry/kube/credentials.ts';
import type { PoolRules } from '@gantry/kube/placement.ts';
import { type CacheLog, WatchCache } from '../../platform/kube/watch-cache.ts';
import { BILLING_MANAGER, BilledObjects } from './billed-objects.ts';
import { InstanceKeys } from './instance-keys.ts';
import { KindStore } from './kind-store.ts';
import { loadKubeConfig, withoutUser } from './kubeconfig.ts';
import { MemberTokens } from './member-tokens.ts';
import { OrganizationResources } from './organization-resources.ts';
import { homeOf } from './placed.ts';
import { RegistrySecrets } from './registry-secrets.ts';
import { SecretVariables } from './secret-variables.ts';
import type { Region } from './to-view.ts';
import { waitForCluster } from './wait-for-cluster.ts';

const FIELD_MANAGER = 'gantry-gateway';
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
