// The policy for what nobody uses, and what it saved: of the token's organisation.

import { IDLE_ROUTES as R } from '@gantry/contract/areas/idle/idle.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import { policyOf, savingsOf, setPolicy } from './idle-rows.ts';

export function idleRoutes({ db, clock }: Pick<Platform, 'db' | 'clock'>): Served[] {
  const own = (caller: { organization: { id: string } }, id: string): string => {
    if (caller.organization.id !== id) throw problem('not_found', { what: id });
    return id;
  };
  return [
    serve(R.policy, ({ caller, params }) => policyOf(db, own(caller, params.org_id))),
    serve(R.setPolicy, ({ caller, params, body, audit }) => {
      const id = own(caller, params.org_id);
      audit.object = `IdlePolicy/${id}`;
      return setPolicy(db, id, { does: body.does, afterMinutes: body.after_minutes });
    }),
    serve(R.savings, ({ caller, params }) => savingsOf(db, own(caller, params.org_id), clock.now())),
  ];
}
