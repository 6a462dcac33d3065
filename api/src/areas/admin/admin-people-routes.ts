// Accounts and organisations in the operators' console: what staff do about them, and how they stand.

import { PEOPLE_COMMANDS as C } from '@gantry/contract/areas/identity/admin-people.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import type { ViewSessions } from '../../core/identity/sessions/view-sessions.ts';
import type { Quota } from '../../core/kinds/organization-quota.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { OrganizationSummary } from './organization-summary.ts';
import type { PeopleAccess } from './people-access.ts';
import type { PeopleRows } from './people-rows.ts';

export interface AdminPeopleParts {
  people: Pick<PeopleRows, 'editUser'>;
  access: Pick<PeopleAccess, 'explain' | 'endSessions' | 'resetFactor' | 'liftLockout'>;
  summary: Pick<OrganizationSummary, 'of'>;
  views: Pick<ViewSessions, 'open'>;
  setQuota(id: string, quota: Quota): Promise<void>;
  /** A row as it is now. Throws not_found. */
  user(id: string): Promise<AdminRow<'users'>>;
  organization(id: string): Promise<AdminRow<'organizations'>>;
  /** The address at which browsers find the tenants' console. */
  consoleUrl: string;
}

export function adminPeopleRoutes(parts: AdminPeopleParts): Served[] {
  const { people, access, summary, views, setQuota, user, organization } = parts;
  return [
    serve(C.adminEditUser, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Account/${id}`, reason: body.reason });
      await people.editUser(caller, id, body);
      return user(id);
    }),
    serve(C.adminEndSessions, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Account/${id}`, reason: body.reason });
      return { id, ended: await access.endSessions(caller, id) };
    }),
    serve(C.adminResetSecondFactor, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Account/${id}`, reason: body.reason });
      await access.resetFactor(caller, id);
      return user(id);
    }),
    serve(C.adminLiftLockout, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Account/${id}`, reason: body.reason });
      await access.liftLockout(caller, id);
      return { id };
    }),
    serve(C.adminExplainAccess, ({ params: { id } }) => access.explain(id)),
    serve(C.adminEditOrganization, async ({ params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Organization/${id}`, reason: body.reason });
      await organization(id);
      if (body.quota) await setQuota(id, body.quota);
      return organization(id);
    }),
    serve(C.adminGetStanding, async ({ params: { id } }) => {
      await organization(id);
      return summary.of(id);
    }),
    serve(C.adminViewTenant, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Organization/${id}`, reason: body.reason });
      const { ticket, expiresAt } = await views.open(caller, id, body.reason);
      const url = new URL('login', `${parts.consoleUrl.replace(/\/+$/, '')}/`);
      url.searchParams.set('view', ticket);
      return { id, ticket, url: url.href, expires_at: expiresAt.toISOString() };
    }),
  ];
}
