// Objects that are served by replicas: whether their size can ever run, the times that they scale by, the revision that they return
// to, and who spends.
import { problem } from '@gantry/contract/http/problem.ts';
import type { ContainerServiceSpec } from '@gantry/contract/kinds/container-service.ts';
import type { Placed } from '@gantry/contract/kinds/host-of.ts';
import { revisionsBefore, rollbackPatch, rollbackTo } from '@gantry/contract/kinds/revisions.ts';
import { hostIn } from '../placed-host.ts';
import type { KindHooks } from './hooks.ts';
import { afterwards, checkRecurrence, checkSize, startedBy } from './workload-checks.ts';

type Sized = Pick<ContainerServiceSpec, 'gpu'> & Placed;

/** `starts`: the fields by which something starts or uses more. `remembered`: those of a revision. */
export const servedHooks = (
  starts: readonly string[],
  remembered: readonly string[],
): Required<Pick<KindHooks, 'checkWrite' | 'extraPatch' | 'commandPatch'>> => ({
  checkWrite(cache, asked, change, before, write) {
    const old = (before as { spec?: Sized } | undefined)?.spec;
    const touches = (...fields: string[]) => write !== 'change' || fields.some((field) => field in change);
    if (touches('host', 'hostTag', 'gpu')) {
      const [named, gpu] = [afterwards(change.host, old?.host), afterwards(change.gpu, old?.gpu)];
      const hostTag = afterwards(change.hostTag, old?.hostTag);
      const host = named ?? hostIn(cache.reader, asked.namespace, { hostTag })?.metadata.name;
      // A host that has the tag may come yet.
      if (host !== undefined || hostTag === undefined) checkSize(cache, { host, gpu, count: 1 }, asked);
    }
    const scaling = change.autoscaling as ContainerServiceSpec['autoscaling'] | null | undefined;
    for (const [at, { cron, timeZone = 'UTC' }] of (scaling?.schedules ?? []).entries())
      checkRecurrence({ cron, timeZone }, `autoscaling.schedules.${at}`);
  },
  extraPatch: startedBy(starts),
  commandPatch(action, object, { revision }) {
    if (action !== 'rollback' || revision === undefined) return {};
    const wanted = Number(revision);
    if (rollbackTo(object, remembered, wanted)) return rollbackPatch(object, remembered, wanted);
    const revisions = revisionsBefore(object, remembered).map((one) => one.revision);
    throw problem(
      'revision_unknown',
      { revision: wanted, revisions: revisions.join(', ') || '–' },
      { field: 'revision' },
    );
  },
});
