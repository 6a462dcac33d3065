// Fine-tuning tasks: the host that they name, whether their size can ever run, and who spends for a run.
import type { FineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { START_FIELDS } from '@gantry/contract/kinds/fine-tune-schema.ts';
import type { KindHooks } from './hooks.ts';
import { afterwards, checkSize, startedBy } from './workload-checks.ts';

export const tuneHooks: KindHooks = {
  checkWrite(cache, asked, change, before, write) {
    const old = (before as FineTune | undefined)?.spec;
    const host = afterwards(change.host, old?.host);
    const gpu = afterwards(change.gpu, old?.gpu);
    const count = afterwards(change.workers, old?.workers) ?? 1;
    const touches = ['host', 'gpu', 'workers'].some((field) => field in change);
    if (write !== 'change' || touches) checkSize(cache, { host, gpu, count }, asked);
  },
  extraPatch: startedBy(START_FIELDS),
};
