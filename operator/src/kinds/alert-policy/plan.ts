// An AlertPolicy has no children: the gateway evaluates it, and writes its status (api/src/areas/alerts/policy-statuses.ts).
import { type AlertPolicy, alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { defineController } from '../../define-controller.ts';

export const alertPolicyController = defineController<AlertPolicy, Record<never, never>, unknown>({
  facts: alertPolicy,
  reads: {},
  plan: () => ({}),
});
