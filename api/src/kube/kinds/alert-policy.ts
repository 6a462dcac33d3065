// Alert policies: the recurring times at which nobody is notified.
import type { AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';
import type { KindHooks } from './hooks.ts';
import { checkRecurrence } from './workload-checks.ts';

export const policyHooks: KindHooks = {
  checkWrite(_cache, _asked, change) {
    const silences = (change.silences ?? []) as NonNullable<AlertPolicySpec['silences']>;
    for (const [at, { cron, timeZone }] of silences.entries()) checkRecurrence({ cron, timeZone }, `silences.${at}`);
  },
};
