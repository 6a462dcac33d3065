// Waits for an API server that is not there yet, and refuses a cluster without our kinds.
import { KINDS } from '@gantry/contract/kinds.ts';
import { checkCluster, isUnreachable } from '@gantry/kube/check-cluster.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { CacheLog } from '../../platform/kube/watch-cache.ts';

/** Between two looks for an API server that is not there yet. */
const RETRY_MS = 500;

export async function waitForCluster(
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
