// Services: whether their size can ever run, the times that they scale by, the revision that they return to, and who spends.
import { problem } from '@gantry/contract/http/problem.ts';
import {
  type ContainerService,
  type ContainerServiceSpec,
  rollbackPatch,
  rollbackTo,
} from '@gantry/contract/kinds/container-service.ts';
import { START_FIELDS } from '@gantry/contract/kinds/container-service-schema.ts';
import type { KindHooks } from './hooks.ts';
import { afterwards, checkRecurrence, checkSize, startedBy } from './workload-checks.ts';

export const serviceHooks: KindHooks = {
  checkWrite(cache, asked, change, before, write) {
    const old = (before as ContainerService | undefined)?.spec;
    const touches = (...fields: string[]) => write !== 'change' || fields.some((field) => field in change);
    if (touches('host', 'gpu')) {
      const [host, gpu] = [afterwards(change.host, old?.host), afterwards(change.gpu, old?.gpu)];
      checkSize(cache, { host, gpu, count: 1 }, asked);
    }
    const scaling = change.autoscaling as ContainerServiceSpec['autoscaling'] | null | undefined;
    for (const [at, { cron, timeZone = 'UTC' }] of (scaling?.schedules ?? []).entries())
      checkRecurrence({ cron, timeZone }, `autoscaling.schedules.${at}`);
  },
  extraPatch: startedBy(START_FIELDS),
  commandPatch(action, object, { revision }) {
    if (action !== 'rollback' || revision === undefined) return {};
    const service = object as ContainerService;
    const wanted = Number(revision);
    if (rollbackTo(service, wanted)) return rollbackPatch(service, wanted);
    const others = (service.status?.revisions ?? []).filter(
      (one) => one.revision !== service.status?.revision && one.template !== undefined,
    );
    const revisions = others.map((one) => one.revision).join(', ') || '–';
    throw problem('revision_unknown', { revision: wanted, revisions }, { field: 'revision' });
  },
};
