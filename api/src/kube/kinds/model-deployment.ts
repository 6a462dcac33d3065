// Deployments of models: whether a size that was chosen by hand can ever run, the times that they scale by, and who spends.
import type { ModelDeployment, ModelDeploymentSpec } from '@gantry/contract/kinds/model-deployment.ts';
import { START_FIELDS } from '@gantry/contract/kinds/model-deployment-schema.ts';
import type { ModelAround } from '@gantry/contract/kinds/model-deployment-view.ts';
import { deploymentCachedOn } from '../cached-models.ts';
import type { KindHooks } from './hooks.ts';
import { afterwards, checkRecurrence, checkSize, startedBy } from './workload-checks.ts';

export const deploymentHooks: KindHooks = {
  related(cache, object) {
    const cachedOn = deploymentCachedOn(cache.reader, object as ModelDeployment);
    return { related: { cachedOn } satisfies ModelAround, key: `${cachedOn?.nodes}/${cachedOn?.of}` };
  },
  checkWrite(cache, asked, change, before, write) {
    const old = (before as ModelDeployment | undefined)?.spec;
    const touches = (...fields: string[]) => write !== 'change' || fields.some((field) => field in change);
    if (touches('host', 'gpu')) {
      const [host, gpu] = [afterwards(change.host, old?.host), afterwards(change.gpu, old?.gpu)];
      checkSize(cache, { host, gpu, count: 1 }, asked);
    }
    const scaling = change.autoscaling as ModelDeploymentSpec['autoscaling'] | null | undefined;
    for (const [at, { cron, timeZone = 'UTC' }] of (scaling?.schedules ?? []).entries())
      checkRecurrence({ cron, timeZone }, `autoscaling.schedules.${at}`);
  },
  extraPatch: startedBy(START_FIELDS),
};
