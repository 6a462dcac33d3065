// The policy for what nobody uses, and what it saved: of the token's organisation.

import { type IdlePolicyView, type IdleSavingsView, IDLE_ROUTES as R } from '@gantry/contract/areas/idle/idle.ts';
import type { IdlePolicy } from '@gantry/contract/fields/idle.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type Served, serve } from '../../platform/http/serve.ts';

interface IdleRouteParts {
  policyOf(organizationId: string): Promise<IdlePolicyView>;
  setPolicy(organizationId: string, policy: IdlePolicy): Promise<IdlePolicyView>;
  savingsOf(organizationId: string): Promise<IdleSavingsView>;
}

export function idleRoutes({ policyOf, setPolicy, savingsOf }: IdleRouteParts): Served[] {
  const own = (caller: { organization: { id: string } }, id: string): string => {
    if (caller.organization.id !== id) throw problem('not_found', { what: id });
    return id;
  };
  return [
    serve(R.policy, ({ caller, params }) => policyOf(own(caller, params.org_id))),
    serve(R.setPolicy, ({ caller, params, body, audit }) => {
      const id = own(caller, params.org_id);
      audit.object = `IdlePolicy/${id}`;
      return setPolicy(id, { does: body.does, afterMinutes: body.after_minutes });
    }),
    serve(R.savings, ({ caller, params }) => savingsOf(own(caller, params.org_id))),
  ];
}
