// Jobs: the host and the disks that they name, whether their size can ever run, and who spends for a run.
import { problem } from '@gantry/contract/http/problem.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import type { Job, JobSpec } from '@gantry/contract/kinds/job.ts';
import { START_FIELDS } from '@gantry/contract/kinds/job-schema.ts';
import { nameOf } from '../../../platform/kube/list-order.ts';
import type { WatchCache } from '../../../platform/kube/watch-cache.ts';
import { type Asked, checkDisks } from '../checks.ts';
import type { KindHooks } from './hooks.ts';
import { afterwards, checkRecurrence, checkSize, startedBy } from './workload-checks.ts';

export const jobHooks: KindHooks = {
  checkWrite(cache, asked, change, before, write) {
    const old = (before as Job | undefined)?.spec;
    const spec = {
      host: afterwards(change.host, old?.host),
      gpu: afterwards(change.gpu, old?.gpu),
      workers: afterwards(change.workers, old?.workers) ?? 1,
      mounts: afterwards(change.mounts, old?.mounts) ?? [],
      schedule: afterwards(change.schedule, old?.schedule),
    };
    const touches = (...fields: string[]) => write !== 'change' || fields.some((field) => field in change);
    if (touches('host', 'gpu', 'workers')) checkSize(cache, { ...spec, count: spec.workers }, asked);
    if (touches('mounts', 'workers', 'host')) checkMounts(cache, spec, asked);
    if (spec.schedule && touches('schedule')) checkRecurrence(spec.schedule, 'schedule');
  },
  extraPatch: startedBy(START_FIELDS),
};

/**
 * Checks the mounts of a job. The holder of a disk at the time of a schedule's run is unknown. Throws no_such_reference, disk_for_one,
 * disk_in_use.
 */
function checkMounts(
  cache: WatchCache,
  { mounts, workers, host, schedule }: Pick<JobSpec, 'workers' | 'host' | 'schedule'> & { mounts: { from: string }[] },
  asked: Asked,
): void {
  const disks = mounts.map(({ from }) => ({ name: from }));
  const at = { ...asked, host, fieldOf: (index: number) => `mounts.${index}.from` };
  checkDisks(cache, disks, { ...at, ...(schedule && { mayBeHeld: true }) });
  for (const [index, { name }] of disks.entries()) {
    const disk = cache.get<DataDisk>(dataDisk, asked.namespace, name);
    if (workers > 1 && disk?.spec.access !== 'Many')
      throw problem('disk_for_one', { disk: disk ? nameOf(disk) : name, workers }, { field: at.fieldOf(index) });
  }
}
