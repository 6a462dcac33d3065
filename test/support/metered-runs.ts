// The runs among an instance's billed intervals: in between, the instance itself is the subject, for its disk and its saves.
import type { Interval } from '@gantry/contract/fields/metering.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';

/**
 * One for each stretch of a Pod: if its usage changed in the middle, for example when a disk was finally Bound, the parts are
 * joined.
 */
export function meteredRuns({ metadata, status }: GpuInstance): Interval[] {
  const runs: Interval[] = [];
  for (const interval of status?.intervals ?? []) {
    const before = runs.at(-1);
    if (interval.subjectUID === metadata.uid) continue;
    const goesOn = before?.subjectUID === interval.subjectUID && before.to === interval.from;
    if (goesOn) runs.splice(-1, 1, { ...interval, from: before.from });
    else runs.push(interval);
  }
  return runs;
}
