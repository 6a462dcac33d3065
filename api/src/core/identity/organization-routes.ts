// Organisations, members and permission nodes over HTTP. Whose organisation it is, the token says; a path that names another is
// answered like one that names none.

import { ORGANIZATION_ROUTES as R } from '@gantry/contract/areas/identity/organization.ts';
import { MENUS_NOT_VIEWED } from '@gantry/contract/areas/identity/view-as-tenant.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { problemIn } from '@gantry/contract/http/problem-in.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { staffNodes, tenantNodes } from '@gantry/contract/permission-nodes.ts';
import { mayRole, ROLE_RIGHTS } from '@gantry/contract/roles.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { demandSession } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { ShownInvitation } from './organizations/invitation-rows.ts';
import type { Invitations } from './organizations/invitations.ts';
import type { Members } from './organizations/members.ts';
import type { Organizations, OwnOrganization } from './organizations/organizations.ts';

export interface OrganizationRouteParts {
  organizations: Organizations;
  members: Members;
  invitations: Invitations;
  /** The phase of the Organization on the cluster, as a person sees it. */
  phase(organizationId: string): string;
  /** Undefined without billing. */
  money?(organizationId: string): Promise<{ balance: string; card_info: CardInfo | null }>;
}

interface CardInfo {
  last4: string;
  payment_id: string;
  payment_channel: string;
  exp_time: string;
}

/** Staff who look at a tenant's console: they are no member, and it is the only organisation that they see. */
const isView = ({ session }: Caller): boolean => session.kind === 'view';

/** The organisation of the path, which is the token's. */
function ofPath(caller: Caller, id: string): string {
  if (caller.organization.id !== id) throw problem('not_found', { what: id });
  return id;
}

const rightsOf = ({ organization, session }: Caller) =>
  session.kind === 'session' ? ROLE_RIGHTS[organization.role] : session.scopes;

const rowOf = (own: OwnOrganization) => ({
  org_id: own.id,
  org_name: own.name,
  description: own.description,
  role: own.role,
  is_personal: own.personalOf !== null,
  is_new: own.isNew,
  currency: own.currency,
  create_time: own.createdAt.toISOString(),
});

/** E-mail and phone are for those who manage: members who accepted an invitation agreed to that. */
/** People who manage members; no API token, whoever made it. */
const seesContacts = ({ organization, session }: Caller): boolean =>
  session.kind !== 'apiToken' && mayRole(organization.role, 'manage');
const contactShownTo = (caller: Caller) => {
  const seesAll = seesContacts(caller);
  const isPerson = caller.session.kind !== 'apiToken';
  return ({ id }: { id: string }): boolean => seesAll || (isPerson && id === caller.account.id);
};

const invitationOf = ({ id, account, role, state, createdAt, expiresAt }: ShownInvitation) => ({
  id,
  account,
  role,
  state,
  create_time: createdAt.toISOString(),
  expiration_time: expiresAt.toISOString(),
});

export function organizationRoutes(parts: OrganizationRouteParts): Served[] {
  const { organizations, members, invitations } = parts;
  return [
    serve(R.listOrganizations, async ({ caller, query }) => {
      if (isView(caller))
        return {
          items: [rowOf(await organizations.shown(caller.organization.id))],
          total: 1,
          extra: { cursor: undefined },
        };
      const { items, total, ...extra } = await organizations.list(caller.account.id, query);
      return { items: items.map(rowOf), total, extra };
    }),
    serve(R.createOrganization, async ({ caller, body, audit, idempotencyKey }) => {
      demandSession(caller);
      const { org_name: name, description } = body;
      const made = await organizations.create(caller.account.id, { name, description }, idempotencyKey);
      audit.object = `Organization/${made.id}`;
      return rowOf(made);
    }),
    serve(R.getMyOrganization, async ({ caller }) => {
      const { id } = caller.organization;
      const own = isView(caller) ? await organizations.shown(id) : await organizations.get(caller.account.id, id);
      const money = (await parts.money?.(id)) ?? { balance: null, card_info: null };
      if (isView(caller)) money.card_info = null;
      const phase = parts.phase(id) as 'ready';
      return { ...rowOf(own), namespace: organizationNamespace(id), phase, rights: [...rightsOf(caller)], ...money };
    }),
    serve(R.editOrganization, async ({ caller, params, body, audit }) => {
      const id = ofPath(caller, params.org_id);
      demandSession(caller);
      audit.object = `Organization/${id}`;
      const change = { name: body.org_name, description: body.description };
      return rowOf(await organizations.edit(caller.account.id, id, change));
    }),
    serve(R.seeOrganization, async ({ caller, params }) => {
      const id = ofPath(caller, params.org_id);
      demandSession(caller);
      await organizations.see(id);
    }),
    serve(R.deleteOrganization, async ({ caller, params, query, audit }) => {
      const id = ofPath(caller, params.org_id);
      demandSession(caller);
      audit.object = `Organization/${id}`;
      await organizations.delete(caller.account, id, query.confirm);
    }),
    serve(R.leaveOrganization, async ({ caller, params, audit }) => {
      const id = ofPath(caller, params.org_id);
      demandSession(caller);
      audit.object = `Organization/${id}`;
      await members.leave(caller.account, id);
    }),
    serve(R.transferOrganization, async ({ caller, params, body, audit }) => {
      const id = ofPath(caller, params.org_id);
      demandSession(caller);
      audit.object = `Account/${body.account_id}`;
      await members.transfer(caller.account, id, body.account_id);
    }),

    serve(R.listMembers, async ({ caller, params, query }) => {
      const id = ofPath(caller, params.org_id);
      const showsContact = contactShownTo(caller);
      const byEmail = seesContacts(caller);
      const { items, total, ...extra } = await members.list(id, { ...query, byEmail });
      return {
        total,
        extra,
        items: items.map(({ account, role, joinedAt }) => ({
          account_id: account.id,
          name: account.name,
          email: showsContact(account) ? account.email : null,
          phone: showsContact(account) ? account.phone : null,
          type: account.kind,
          role,
          join_time: joinedAt.toISOString(),
        })),
      };
    }),
    serve(R.inviteMembers, async ({ caller, params, body, language, audit }) => {
      const id = ofPath(caller, params.org_id);
      demandSession(caller);
      audit.object = `Organization/${id}`;
      const invited = await invitations.invite(caller.account, id, body.members, language);
      return invited.map(({ account, outcome, problem: refusal }) => ({
        account,
        outcome,
        error: refusal?.code ?? null,
        message: refusal ? problemIn(language, refusal.code, refusal.args) : null,
      }));
    }),
    serve(R.editMember, async ({ caller, params, body, audit }) => {
      const id = ofPath(caller, params.org_id);
      demandSession(caller);
      audit.object = `Account/${params.account_id}`;
      await members.changeRole(caller.account, id, params.account_id, body.role);
    }),
    serve(R.removeMember, async ({ caller, params, audit }) => {
      const id = ofPath(caller, params.org_id);
      demandSession(caller);
      audit.object = `Account/${params.account_id}`;
      await members.remove(caller.account, id, params.account_id);
    }),
    serve(R.listInvitations, async ({ caller, params, query }) => {
      const { items, total, ...extra } = await invitations.list(ofPath(caller, params.org_id), query);
      return { total, extra, items: items.map(invitationOf) };
    }),
    serve(R.resendInvitation, async ({ caller, params, language, audit }) => {
      const id = ofPath(caller, params.org_id);
      demandSession(caller);
      audit.object = `Invitation/${params.id}`;
      return invitationOf(await invitations.resend(caller.account, id, params.id, language));
    }),
    serve(R.withdrawInvitation, async ({ caller, params, audit }) => {
      const id = ofPath(caller, params.org_id);
      demandSession(caller);
      audit.object = `Invitation/${params.id}`;
      await invitations.withdraw(caller.account, id, params.id);
    }),
    serve(R.listMyInvitations, async ({ caller, query }) => {
      demandSession(caller);
      const { items, total, ...extra } = await invitations.mine(caller.account.id, query);
      return {
        total,
        extra,
        items: items.map(({ id, organizationId, organization, role, invitedBy, createdAt, expiresAt }) => ({
          id,
          org_id: organizationId,
          org_name: organization,
          role,
          invited_by: invitedBy,
          create_time: createdAt.toISOString(),
          expiration_time: expiresAt.toISOString(),
        })),
      };
    }),
    serve(R.acceptInvitation, async ({ caller, params, audit }) => {
      demandSession(caller);
      audit.object = `Invitation/${params.id}`;
      const { organizationId, role } = await invitations.accept(caller.account, params.id);
      // The organisation's log says who came, whichever organisation the session was in.
      audit.organizationId = organizationId;
      return { org_id: organizationId, role };
    }),
    serve(R.declineInvitation, async ({ caller, params, audit }) => {
      demandSession(caller);
      audit.object = `Invitation/${params.id}`;
      await invitations.decline(caller.account, params.id);
    }),
    serve(R.findAccounts, async ({ caller, query }) => {
      const showsContact = contactShownTo(caller);
      const found = await members.find(caller.organization.id, { ...query, byEmail: seesContacts(caller) });
      return found.map((account) => ({
        account_id: account.id,
        name: account.name,
        email: showsContact(account) ? account.email : null,
      }));
    }),
    serve(R.getPermissionNodes, ({ caller, query }) => {
      const routes = Object.values(ROUTES);
      if (query.console === 'admin') return staffNodes(caller.account.platformRoles, routes);
      const nodes = tenantNodes(rightsOf(caller), routes, KINDS);
      return isView(caller) ? nodes.filter(({ pname }) => !MENUS_NOT_VIEWED.has(pname)) : nodes;
    }),
  ];
}
