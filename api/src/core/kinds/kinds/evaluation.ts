// Evaluations: the host that they name, and who spends for a run.
import type { Evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { START_FIELDS } from '@gantry/contract/kinds/evaluation-schema.ts';
import type { KindHooks } from './hooks.ts';
import { afterwards, checkSize, startedBy } from './workload-checks.ts';

export const evaluationHooks: KindHooks = {
  checkWrite(cache, asked, change, before, write) {
    const host = afterwards(change.host, (before as Evaluation | undefined)?.spec.host);
    if (write !== 'change' || 'host' in change) checkSize(cache, { host, count: 1 }, asked);
  },
  extraPatch: startedBy(START_FIELDS),
};
