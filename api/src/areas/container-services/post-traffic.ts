// Writes what this gateway counted of requests, for all gateways to read, and deletes what is older than anybody reads. What fails is
// tried again with the next round.
import { pause } from '@gantry/kube/clock.ts';
import type { ScalingWrites } from '../../core/kinds/scaling-writes.ts';
import type { Platform } from '../../platform/open.ts';
import { POST_MS, type TrafficStore } from '../../platform/relay/traffic-store.ts';
import type { ActivatedServices } from './activated-services.ts';

const SWEEP_MS = 300_000;

/** Until the signal. `writes` put the time of the last request into statuses. */
export async function postTraffic(
  { clock, log }: Pick<Platform, 'clock'> & { log: Pick<Platform['log'], 'warn'> },
  services: Pick<ActivatedServices, 'all'>,
  store: Pick<TrafficStore, 'post' | 'sweep'>,
  writes: Pick<ScalingWrites, 'note'>,
  signal: AbortSignal,
): Promise<void> {
  let sweptAt = clock.monotonic();
  while (!signal.aborted) {
    await pause(clock, POST_MS, signal);
    await store.post(services.all).catch((error: unknown) => log.warn({ err: error }, 'traffic was not written'));
    await writes.note(services.all);
    if (clock.monotonic() - sweptAt < SWEEP_MS) continue;
    sweptAt = clock.monotonic();
    await store.sweep().catch((error: unknown) => log.warn({ err: error }, 'old traffic was not swept'));
  }
}
