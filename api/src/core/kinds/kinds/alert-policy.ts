// Alert policies: the recurring times at which nobody is notified, and a choice of objects, which a change replaces.
import type { AlertPolicy, AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';
import type { KindHooks } from './hooks.ts';
import { checkRecurrence } from './workload-checks.ts';

export const policyHooks: KindHooks = {
  checkWrite(_cache, _asked, change) {
    const silences = (change.silences ?? []) as NonNullable<AlertPolicySpec['silences']>;
    for (const [at, { cron, timeZone }] of silences.entries()) checkRecurrence({ cron, timeZone }, `silences.${at}`);
  },
  /** A merge patch keeps names and labels that the new choice does not have. */
  extraPatch(object, change) {
    if (change.objects === undefined) return undefined;
    const { labels, ...wish } = change.objects as AlertPolicySpec['objects'];
    const gone = Object.keys((object as AlertPolicy).spec.objects.labels ?? {}).map((label) => [label, null]);
    return { objects: { names: null, ...wish, labels: labels ? { ...Object.fromEntries(gone), ...labels } : null } };
  },
};
