// Follows a cluster that this gateway does not depend on: one that is not there, or not yet a cluster of ours, is tried again.
import { pause } from '@gantry/kube/clock.ts';
import type { Platform } from '../../platform/open.ts';
import type { Cluster } from './open-cluster.ts';

/** Between two looks for what is missing on a cluster. */
const AGAIN_MS = 30_000;

/** Resolves once its caches are filled, or at the signal. */
export async function followOnceThere(
  cluster: Pick<Cluster, 'start'>,
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await cluster.start(signal);
      return;
    } catch (error) {
      log.warn({ why: (error as Error).message }, 'a cluster of another region cannot be followed yet');
      await pause(clock, AGAIN_MS, signal);
    }
  }
}
