// Whether the cluster has what others install, such as a job queue: asked once, at the start. What is not served cannot be followed,
// so what is installed later is noticed at the operator's next start.
import { GROUPS_GROUP, GROUPS_VERSION } from '@gantry/contract/names.ts';
import { isAbsent } from '@gantry/kube/api-error.ts';
import { isUnreachable } from '@gantry/kube/check-cluster.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import { QUEUE_API } from './kueue.ts';

interface Detectable {
  api: string;
  kinds: readonly string[];
  /** The consequence of its absence. */
  without: string;
}

export const QUEUE: Detectable = {
  api: QUEUE_API,
  kinds: ['clusterqueues', 'localqueues', 'workloads', 'resourceflavors', 'cohorts', 'workloadpriorityclasses'],
  without: 'jobs start without a queue',
};
export const GROUPS: Detectable = {
  api: `${GROUPS_GROUP}/${GROUPS_VERSION}`,
  kinds: ['leaderworkersets'],
  without: 'models run on one node each',
};

/** Between two tries while the API server is not there yet. */
const RETRY_MS = 500;

export async function detectKinds(
  { api, kinds, without }: Detectable,
  client: Pick<KubeClient, 'raw'>,
  clock: Clock,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<boolean> {
  for (;;) {
    try {
      const { resources } = await client.raw<{ resources: { name: string }[] }>(`/apis/${api}`);
      const served = new Set(resources.map(({ name }) => name));
      const missing = kinds.filter((name) => !served.has(name));
      if (missing.length > 0) log.warn({ missing }, `${api} lacks kinds that are needed: ${without}`);
      return missing.length === 0;
    } catch (error) {
      if (isAbsent(error)) {
        log.info(`the cluster does not serve ${api}: ${without} until a restart finds it`);
        return false;
      }
      if (!isUnreachable(error)) throw error;
      log.warn({ why: (error as Error).message }, 'waiting for the API server');
      await pause(clock, RETRY_MS, new AbortController().signal);
    }
  }
}
