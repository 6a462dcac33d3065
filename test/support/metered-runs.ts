// Of what an instance is billed for, its runs: in between, the instance itself is the subject, for its disk and what is saved.
import type { Interval } from '@gantry/contract/fields/metering.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';

export const meteredRuns = ({ metadata, status }: GpuInstance): Interval[] =>
  (status?.intervals ?? []).filter(({ subjectUID }) => subjectUID !== metadata.uid);
