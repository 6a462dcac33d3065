// The objects that a Job's plan reads: those of every task, and the Jobs that a schedule made.
import type { Job } from '@gantry/contract/kinds/job.ts';
import type { Read, Seen } from '../../define-controller.ts';
import { readsOf } from '../../running/reads.ts';
import { ran } from './ran.ts';

const { reads: common, resource: JOB, ownerOf } = readsOf<Job>(ran);

/** The Jobs that a schedule made. */
const children: Read<Job, readonly Job[]> = {
  of: JOB,
  find: (owner, caches) =>
    owner.spec.schedule ? (caches.by(JOB, 'owner', owner.metadata.uid ?? '') as readonly Job[]) : [],
  wakes: ({ before, after }) => ownerOf(after ?? before),
};

export const reads = { ...common, children };
export type JobSeen = Seen<typeof reads>;
