// Real names and the audit log in the operators' console.

import { AUDIT_COMMANDS as C } from '@gantry/contract/areas/audit/admin-audit.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import type { RealAuth, RealAuths } from '../../core/identity/people/real-auths.ts';
import { documentView } from '../../core/identity/real-auth-routes.ts';
import type { AuditChecks } from '../../platform/audit/checks.ts';
import { type Served, serve } from '../../platform/http/serve.ts';

export interface AdminAuditParts {
  realAuths: Pick<RealAuths, 'audit' | 'watch'>;
  checks: Pick<AuditChecks, 'begin'>;
  /** A row as it is now. Throws not_found. */
  check(id: string): Promise<AdminRow<'audit-checks'>>;
}

export const adminAuditRoutes = ({ realAuths, checks, check }: AdminAuditParts): Served[] => [
  serve(C.adminAuditRealAuth, async ({ caller, params: { id }, body, audit }) => {
    Object.assign(audit, { object: `RealAuth/${id}`, reason: body.reason });
    const { result, reason } = body;
    return realAuthRow(await realAuths.audit({ id: caller.account.id }, id, { result, reason }));
  }),
  serve(C.adminWatchRealAuth, async ({ caller, params: { id } }) => {
    const { state, decidedBy, reviewers, others, next, waiting } = await realAuths.watch({ id: caller.account.id }, id);
    return {
      id,
      state,
      decided_by: decidedBy ?? null,
      reviewers,
      next: next ?? null,
      waiting,
      others: others.map(({ accountId, name, since }) => ({ account_id: accountId, name, since: since.toISOString() })),
    };
  }),
  serve(C.adminCheckAuditLog, async ({ caller, body, audit }) => {
    Object.assign(audit, { object: `AuditLog/${body.organization_id}`, reason: body.reason });
    return check(await checks.begin(body.organization_id, caller.account.id));
  }),
];

export const realAuthRow = (one: RealAuth): AdminRow<'real-auths'> => ({
  id: one.id,
  account_id: one.accountId,
  account_name: one.accountName,
  account_locale: one.accountLocale,
  type: one.type === 2 ? 2 : 1,
  state: one.state,
  name: one.name,
  ...documentView(one),
  phone: one.phone,
  enterprise_name: one.enterpriseName,
  credit_code: one.creditCode,
  contact_name: one.contactName,
  license_picture: one.licensePicture,
  id_front_picture: one.idFrontPicture,
  id_back_picture: one.idBackPicture,
  submitted_at: one.submittedAt.toISOString(),
  first_approved_by: one.first?.by ?? null,
  first_approved_at: one.first?.at.toISOString() ?? null,
  first_reason: one.first?.reason ?? null,
  decided_at: one.decidedAt?.toISOString() ?? null,
  decided_by: one.decidedByName ?? one.decidedBy,
  reason: one.reason,
});
