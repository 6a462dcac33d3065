// Runs that hold cards and do not start: a container cannot be made, or a part of the gang has found no place. Each hold has an end,
// because nobody pays for it.
import type { Instant } from '@gantry/kube/clock.ts';
import { instant } from '../metering.ts';
import { conditionSince, stuckOn } from '../pod-progress.ts';
import type { Facts, Run } from './facts.ts';
import type { Trouble } from './ran.ts';

const brief = (message: string): string => message.split(': ').slice(-2).join(': ').slice(0, 200);

/** The kubelet's reason why a container of the run does not start. */
export function stuckIn({ seen, workers, owner }: Pick<Facts, 'seen' | 'workers' | 'owner'>): Trouble | undefined {
  const { image, secretEnv = [] } = owner.spec;
  for (const pod of seen.pods.filter(({ metadata }) => workers.some((one) => one.podUID === metadata.uid))) {
    // Those that run before the program keep it waiting.
    const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
    const held = [...initContainerStatuses, ...containerStatuses.slice(0, 1)].find(({ state }) =>
      stuckOn(state?.waiting),
    );
    const { waiting } = held?.state ?? {};
    const { reason: why = '', message = '' } = waiting ?? {};
    const stuck = stuckOn(waiting);
    if (!stuck) continue;
    // A worker's Pod never restarts: a start that fails is an end, and this the moment before.
    const reason = stuck === 'StartError' ? 'BadConfig' : stuck;
    const missing = secretEnv.find(
      ({ secret, key }) => message.includes(`"${secret}"`) && (message.includes('not found') || message.includes(key)),
    );
    if (reason === 'BadConfig' && missing)
      return { reason: 'SecretMissing', args: { secret: missing.secret, key: missing.key } };
    return {
      reason,
      args: { ...(reason === 'ImageNotFound' && { image: image ?? '–' }), detail: brief(message || why) },
    };
  }
  return undefined;
}

/** The kubelet tries again meanwhile; then the run is over, and its cards are free. */
const GIVEN_UP_AFTER_MS = 5 * 60_000;
/** The scheduler has looked at all of them by then. */
const PLACED_WITHIN_MS = 30_000;

/** When a run of which a container cannot be started ends. */
export const stuckDeadline = (run: Run | undefined): Instant | undefined => {
  const since = run?.exit === undefined && run?.startedAt === undefined ? instant(run?.stuckSince) : undefined;
  return since === undefined ? undefined : since + GIVEN_UP_AFTER_MS;
};

/** When a run of which only some workers have a place ends. */
export function placeDeadline({ workers }: Pick<Facts, 'workers'>, run: Run | undefined): Instant | undefined {
  if (run?.exit !== undefined || run?.startedAt !== undefined) return undefined;
  const waits = workers.some(
    ({ pod_: pod, progress }) => progress === 'unplaced' && conditionSince(pod, 'PodScheduled', 'False') !== undefined,
  );
  const placed = workers.flatMap(({ pod_: pod }) => conditionSince(pod, 'PodScheduled', 'True') ?? []);
  return waits && placed.length > 0 ? Math.min(...placed) + PLACED_WITHIN_MS : undefined;
}
