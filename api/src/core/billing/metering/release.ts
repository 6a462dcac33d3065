// With billing off: removes billing's finalizer, left from when it was on, once nothing else holds an object. This meters nothing
// and adds no finalizer.
import { FINALIZER } from '@gantry/contract/names.ts';
import type { Logger } from 'pino';
import type { MeteredObjects } from './meter-controller.ts';
import { isLeft, type MeteredObject } from './seen.ts';

/** Level-triggered over the caches. What refuses is tried with the next round, and holds up nothing else. */
export async function releaseLeft<One extends MeteredObject>(
  objects: Pick<MeteredObjects<One>, 'list' | 'dropFinalizer'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  for (const one of objects.list()) {
    const { metadata } = one.object;
    if (!isLeft(one) || !metadata.finalizers?.includes(FINALIZER.billing)) continue;
    await objects.dropFinalizer(one).catch((error: unknown) => {
      log.warn({ err: error, kind: one.facts.kind, name: metadata.name }, 'what is deleted is not let go yet');
    });
  }
}
