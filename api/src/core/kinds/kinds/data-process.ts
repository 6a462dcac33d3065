// Data processing tasks: the host that they name, and who spends for a run.
import { problem } from '@gantry/contract/http/problem.ts';
import { type DataProcess, dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { START_FIELDS } from '@gantry/contract/kinds/data-process-schema.ts';
import type { KindHooks } from './hooks.ts';
import { afterwards, checkSize, startedBy } from './workload-checks.ts';

export const processHooks: KindHooks = {
  checkWrite(cache, asked, change, before, write) {
    const host = afterwards(change.host, (before as DataProcess | undefined)?.spec.host);
    if (write !== 'change' || 'host' in change) checkSize(cache, { host, count: 1 }, asked);
  },
  checkCommand(action, object) {
    const isAtRest = dataProcess.actions.tryAgain.from.some((phase) => phase === dataProcess.phaseInView(object));
    if (action === 'tryAgain' && isAtRest) throw problem('nothing_failed');
  },
  extraPatch: startedBy(START_FIELDS),
};
