// A tenant's console opened by staff: how such a session begins and ends.

import { VIEW_ROUTES as R } from '@gantry/contract/areas/identity/view-as-tenant.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { ViewSessions } from './sessions/view-sessions.ts';

export const viewRoutes = ({ views }: { views: Pick<ViewSessions, 'start' | 'end'> }): Served[] => [
  serve(R.startView, async ({ body, ip, req, audit }) => {
    const { token, view, caller } = await views.start(body.ticket, { ip, userAgent: req.headers['user-agent'] });
    Object.assign(audit, { actor: caller, object: `Organization/${view.organization.id}`, reason: view.reason });
    return {
      token,
      expires_at: view.expiresAt.toISOString(),
      account_id: view.account.id,
      account_name: view.account.name,
      org_id: view.organization.id,
      org_name: view.organization.name,
      reason: view.reason,
    };
  }),
  serve(R.endView, async ({ caller, audit }) => {
    const { session, organization } = caller;
    if (session.kind !== 'view') throw problem('not_found', { what: 'view' });
    audit.object = `Organization/${organization.id}`;
    await views.end(session.id);
  }),
];
