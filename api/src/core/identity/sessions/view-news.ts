// What is said of a console that staff opened: to the organisation's owners when it begins, and to the audit log when its time is over.
import { VIEW_ROUTES } from '@gantry/contract/areas/identity/view-as-tenant.ts';
import type { AuditEntry } from '../../../platform/audit/entry.ts';
import type { Messages } from '../../../platform/messages/open.ts';
import type { Platform } from '../../../platform/open.ts';
import { NOTICES } from '../organizations/notices.ts';

export interface View {
  readonly id: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly organization: { readonly id: string; readonly name: string };
  readonly reason: string;
  readonly startedAt: Date;
  readonly expiresAt: Date;
}

/** A view whose time is over. */
export interface EndedView {
  id: string;
  organizationId: string;
  accountName: string;
}

/** Never throws and is not awaited: a view begins whether or not the owners hear of it now. */
export function tellOwnersOfView(
  messages: Pick<Messages, 'store'> | undefined,
  log: Pick<Platform['log'], 'error'>,
  { id, account, organization, reason, startedAt }: View,
): void {
  const args = {
    staff: account.name,
    organization: organization.name,
    reason,
    time: `${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  };
  void messages?.store
    .send({ key: `view/${id}`, ...NOTICES.viewed, args }, { organization: organization.id, roles: ['owner'] })
    .catch((error: unknown) => log.error({ err: error, view: id }, 'the owners could not be told of a view'));
}

export const endOfView = ({ id, organizationId, accountName }: EndedView): AuditEntry => ({
  requestId: id,
  action: VIEW_ROUTES.endView.id,
  decision: 'allowed',
  status: 200,
  caller: undefined,
  object: `Organization/${organizationId}`,
  reason: `the time of ${accountName} was over`,
  ip: '',
  userAgent: undefined,
});
