// Whether the cluster has a job queue: asked once, at the start. What is not served cannot be followed, so a Kueue that is installed
// later is noticed at the operator's next start.
import { isAbsent } from '@gantry/kube/api-error.ts';
import { isUnreachable } from '@gantry/kube/check-cluster.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import { QUEUE_API } from './kueue.ts';

const NEEDED = ['clusterqueues', 'localqueues', 'workloads', 'resourceflavors', 'cohorts', 'workloadpriorityclasses'];
/** Between two tries while the API server is not there yet. */
const RETRY_MS = 500;

export async function detectQueue(
  client: Pick<KubeClient, 'raw'>,
  clock: Clock,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<'kueue' | 'none'> {
  for (;;) {
    try {
      const { resources } = await client.raw<{ resources: { name: string }[] }>(`/apis/${QUEUE_API}`);
      const served = new Set(resources.map(({ name }) => name));
      const missing = NEEDED.filter((name) => !served.has(name));
      if (missing.length > 0)
        log.warn({ missing }, 'this Kueue lacks kinds that are needed; jobs start without a queue');
      return missing.length > 0 ? 'none' : 'kueue';
    } catch (error) {
      if (isAbsent(error)) {
        log.info(`the cluster does not serve ${QUEUE_API}: jobs start without a queue until a restart finds it`);
        return 'none';
      }
      if (!isUnreachable(error)) throw error;
      log.warn({ why: (error as Error).message }, 'waiting for the API server');
      await pause(clock, RETRY_MS, new AbortController().signal);
    }
  }
}
