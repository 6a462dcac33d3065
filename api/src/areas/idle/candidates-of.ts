// Objects that may idle: instances, jobs, services and deployments that run and are to run, each with its signals and its price. An object
// without measurements is never idle.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import type { IdlePolicy } from '@gantry/contract/fields/idle.ts';
import { type ContainerService, containerService } from '@gantry/contract/kinds/container-service.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { isRunning, wantsToRun } from '../../core/billing/gate/decide.ts';
import { openIntervals, usesNow } from '../../core/billing/prices/price-of.ts';
import type { BilledObject } from '../../core/kinds/billed-objects.ts';
import type { UsedNow } from '../../core/kinds/usage/usage.ts';
import type { Core } from '../../core/open.ts';
import type { Signal } from './decide-idle.ts';
import type { Candidate } from './idle-watch.ts';

/** The present use of an object, part by part. */
export type ReadsUse = (facts: KindFacts, object: BilledObject['object']) => readonly UsedNow[];

/** Percent of a GPU, or of the cores that it may use: what idles at a prompt stays below. */
const BUSY_PERCENT = 5;

export const IDLE_KINDS = [gpuInstance, job, containerService, modelDeployment];
/** Requests are what they are for; the gateway notes the last one. */
const asked = ({ kind }: Pick<KindFacts, 'kind'>, spec: { publish?: object | undefined }): boolean =>
  kind === modelDeployment.kind || (kind === containerService.kind && spec.publish !== undefined);

/** `uses`: when people last used an object, by namespace and name. */
export function candidatesOf(
  running: readonly BilledObject[],
  priceOf: Core['billing']['priceOf'],
  uses: ReadonlyMap<string, number>,
  usedNow: ReadsUse,
): Candidate[] {
  return running
    .filter((one) => isRunning(one) && wantsToRun(one))
    .map((one): Candidate => {
      const { facts, object, uid, organizationId } = one;
      const { spec, metadata } = object as typeof object & { spec: { idle?: IdlePolicy; displayName?: string } };
      const { net: perHour, currency } = priceOf(one);
      return {
        ...{ uid, organizationId, kind: facts.kind, name: metadata.name },
        title: spec.displayName ?? metadata.name,
        creator: spec.creator,
        ...(spec.idle && { policy: spec.idle }),
        seen: seenOf(
          usedNow(facts, object),
          usesNow(one).some(({ resource }) => resource.endsWith('gpu')),
        ),
        usedAt: usedAtOf(one, uses.get(`${metadata.namespace}/${metadata.name}`)),
        perHour,
        currency,
      };
    });
}

/** The use of cores counts for every object: it also takes the place of GPUs if there are none. */
function seenOf(parts: readonly UsedNow[], hasGpu: boolean): Candidate['seen'] {
  const stateOf = (percent: (part: UsedNow) => number | null) => {
    const all = parts.map(percent);
    if (all.some((one) => one !== null && one > BUSY_PERCENT)) return 'busy';
    return all.length === 0 || all.includes(null) ? 'unknown' : 'quiet';
  };
  return { cpu: stateOf(({ cpu }) => cpu), ...(hasGpu && { gpu: stateOf(({ gpu }) => gpu) }) };
}

/** When a person last used it; its start at the earliest. */
function usedAtOf(one: Pick<BilledObject, 'facts' | 'object'>, visitedAt: number | undefined): Signal {
  const starts = openIntervals(one).map(({ from }) => instantOf(from) ?? Number.NaN);
  const { spec, status } = one.object as unknown as ContainerService;
  const requestedAt = asked(one.facts, spec) ? instantOf(status?.traffic?.lastRequestAt) : undefined;
  return Math.max(Math.min(...starts), visitedAt ?? 0, requestedAt ?? 0);
}
