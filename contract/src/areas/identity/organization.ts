// Organisations, their members, and what a person is shown in them.
import * as z from 'zod';
import { plainLines, plainText } from '../../fields/plain-text.ts';
import { defineRoute } from '../../http/define-route.ts';
import { cursorQuery } from '../../http/paging.ts';
import { isProblemCode } from '../../http/problem.ts';
import { organization } from '../../kinds/organization.ts';
import { ORG_ROLES, RIGHTS } from '../../roles.ts';

const tag = 'organization';
const name = plainText(63).meta({ description: 'The name people see.' });
const description = plainLines(1024);
const role = z.enum(ORG_ROLES);
const time = z.iso.datetime();
const id = z.string().min(1).max(63);
const ofOrganization = z.object({ org_id: id });
const ofMember = z.object({ org_id: id, account_id: id });

const organizationRow = {
  org_id: z.string(),
  org_name: z.string(),
  description: z.string(),
  role,
  /** Made at registration: it stays with its owner. */
  is_personal: z.boolean(),
  is_new: z.boolean(),
  currency: z.string(),
  create_time: time,
};

export const cardInfo = z.object({
  last4: z.string(),
  payment_id: z.string(),
  payment_channel: z.string(),
  exp_time: z.string(),
});

export const organizationDetail = z.object({
  ...organizationRow,
  namespace: z.string(),
  /** The phase of the Organization on the cluster: actions there wait for `ready`. */
  phase: z.enum(Object.keys(organization.phases) as (keyof typeof organization.phases)[]),
  rights: z.array(z.enum(RIGHTS)),
  /** Decimal, in the organisation's currency; null without billing. */
  balance: z.string().nullable(),
  card_info: cardInfo.nullable(),
});

export const member = z.object({
  account_id: z.string(),
  name: z.string(),
  /** Only owners, admins and the member see e-mail and phone. */
  email: z.string().nullable(),
  phone: z.string().nullable(),
  type: z.enum(['personal', 'enterprise']),
  role,
  join_time: time,
});

/** The person to invite: an e-mail address, or the exact name of an account. */
const invitee = z.strictObject({ account: plainText(254), role });

/** `proposed`: staff named the person; an owner or admin has yet to invite them, by sending it. */
export const INVITATION_STATES = ['proposed', 'pending', 'accepted', 'declined', 'expired', 'withdrawn'] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];
const invitationState = z.enum(INVITATION_STATES);

/** As the organisation sees it: what the inviter typed, and nothing about the account behind it. */
const invitation = z.object({
  id: z.string(),
  account: z.string(),
  role,
  state: invitationState,
  create_time: time,
  expiration_time: time,
});

/** The same answer for an address with an account and for one without. */
const invited = z.object({
  account: z.string(),
  outcome: z.enum(['invited', 'refused']),
  /** For a refused one: the API's error. */
  error: z.string().refine(isProblemCode).nullable(),
  message: z.string().nullable(),
});

/** As the invited person sees it. */
const ownInvitation = z.object({
  id: z.string(),
  org_id: z.string(),
  org_name: z.string(),
  role,
  /** The name of the account that invites. */
  invited_by: z.string(),
  create_time: time,
  expiration_time: time,
});
const ofInvitation = z.object({ id });

const account = z.object({
  account_id: z.string(),
  name: z.string(),
  /** As in the list of members. */
  email: z.string().nullable(),
});

export const ORGANIZATION_ROUTES = {
  listOrganizations: defineRoute({
    id: 'listOrganizations',
    method: 'GET',
    path: '/auth/v1/organization',
    tag,
    summary: 'The organisations one belongs to, by name.',
    access: 'account',
    query: z.strictObject(cursorQuery(100)),
    answer: { list: z.object(organizationRow) },
    problems: ['cursor_rule'],
  }),
  createOrganization: defineRoute({
    id: 'createOrganization',
    method: 'POST',
    path: '/auth/v1/organization',
    tag,
    summary: 'Makes an organisation, owned by whoever asks.',
    access: 'account',
    body: z.strictObject({ org_name: name, description: description.default('') }),
    answer: { result: z.object(organizationRow) },
    status: 201,
    problems: ['session_needed', 'too_many_organizations'],
  }),
  getMyOrganization: defineRoute({
    id: 'getMyOrganization',
    method: 'GET',
    path: '/auth/v1/organization/me',
    tag,
    summary: 'The organisation of the token, with its state on the cluster.',
    access: 'account',
    answer: { result: organizationDetail },
    problems: [],
  }),
  editOrganization: defineRoute({
    id: 'editOrganization',
    method: 'PUT',
    path: '/auth/v1/organization/{org_id}',
    tag,
    summary: "Changes an organisation's name or description.",
    access: { right: 'manage' },
    params: ofOrganization,
    body: z.strictObject({ org_name: name.optional(), description: description.optional() }),
    answer: { result: z.object(organizationRow) },
    problems: ['session_needed'],
  }),
  seeOrganization: defineRoute({
    id: 'seeOrganization',
    method: 'PATCH',
    path: '/auth/v1/organization/{org_id}',
    tag,
    summary: 'Says that the welcome was seen: it is not shown again.',
    access: 'account',
    params: ofOrganization,
    body: z.strictObject({ is_new: z.literal(false) }),
    answer: { text: 'ok' },
    problems: ['session_needed'],
  }),
  deleteOrganization: defineRoute({
    id: 'deleteOrganization',
    method: 'DELETE',
    path: '/auth/v1/organization/{org_id}',
    tag,
    summary: 'Deletes an organisation with everything in it; `confirm` repeats its id. Owners alone may.',
    access: { right: 'manage' },
    params: ofOrganization,
    query: z.strictObject({ confirm: z.string().max(63).optional() }),
    answer: { text: 'ok' },
    status: 202,
    problems: ['session_needed', 'confirmation_missing', 'personal_organization'],
  }),
  leaveOrganization: defineRoute({
    id: 'leaveOrganization',
    method: 'POST',
    path: '/auth/v1/organization/{org_id}/leave',
    tag,
    summary: 'Ends the own membership.',
    access: 'account',
    params: ofOrganization,
    answer: { text: 'ok' },
    problems: ['session_needed', 'last_owner', 'personal_organization'],
  }),
  transferOrganization: defineRoute({
    id: 'transferOrganization',
    method: 'POST',
    path: '/auth/v1/organization/{org_id}/transfer',
    tag,
    summary: 'Makes another member the owner; whoever gives it away stays as an admin.',
    access: { right: 'manage' },
    params: ofOrganization,
    body: z.strictObject({ account_id: id }),
    answer: { text: 'ok' },
    problems: ['session_needed', 'personal_organization'],
  }),

  listMembers: defineRoute({
    id: 'listMembers',
    method: 'GET',
    path: '/auth/v1/organization/{org_id}/member',
    tag,
    summary:
      'The members of the organisation; `q` is the beginning of a name or, for owners and admins, of an e-mail address.',
    access: { right: 'view' },
    params: ofOrganization,
    query: z.strictObject({ ...cursorQuery(10), q: plainText(254).optional(), role: role.optional() }),
    answer: { list: member },
    problems: ['cursor_rule'],
  }),
  inviteMembers: defineRoute({
    id: 'inviteMembers',
    method: 'POST',
    path: '/auth/v1/organization/{org_id}/invitation',
    tag,
    summary:
      'Invites one person or several, by e-mail address or account name; each is answered separately. Nobody becomes a member before accepting.',
    access: { right: 'manage' },
    params: ofOrganization,
    body: z.strictObject({
      members: z
        .array(invitee)
        .min(1)
        .max(100)
        .refine((all) => new Set(all.map(({ account }) => account.toLowerCase())).size === all.length),
    }),
    answer: { data: z.array(invited) },
    problems: [
      'session_needed',
      'already_member',
      'account_unknown',
      'too_many_members',
      'too_many_pending',
      'too_many_invitations',
    ],
  }),
  editMember: defineRoute({
    id: 'editMember',
    method: 'PUT',
    path: '/auth/v1/organization/{org_id}/member/{account_id}',
    tag,
    summary: "Changes a member's role; owners are made and unmade by owners.",
    access: { right: 'manage' },
    params: ofMember,
    body: z.strictObject({ role }),
    answer: { text: 'ok' },
    problems: ['session_needed', 'last_owner', 'personal_organization'],
  }),
  removeMember: defineRoute({
    id: 'removeMember',
    method: 'DELETE',
    path: '/auth/v1/organization/{org_id}/member/{account_id}',
    tag,
    summary:
      "Ends a membership, with its sessions, tokens and keys in the organisation; an admin's or owner's by rank.",
    access: { right: 'manage' },
    params: ofMember,
    answer: { text: 'ok' },
    problems: ['session_needed', 'last_owner', 'personal_organization'],
  }),
  listInvitations: defineRoute({
    id: 'listInvitations',
    method: 'GET',
    path: '/auth/v1/organization/{org_id}/invitation',
    tag,
    summary: 'The invitations of the organisation, newest first; closed ones for 30 days after their expiry.',
    access: { right: 'manage' },
    params: ofOrganization,
    query: z.strictObject({ ...cursorQuery(10), state: invitationState.optional() }),
    answer: { list: invitation },
    problems: ['cursor_rule'],
  }),
  resendInvitation: defineRoute({
    id: 'resendInvitation',
    method: 'POST',
    path: '/auth/v1/organization/{org_id}/invitation/{id}/resend',
    tag,
    summary: 'Sends a pending or expired invitation again, valid for another seven days; once an hour.',
    access: { right: 'manage' },
    params: z.object({ org_id: id, id }),
    answer: { result: invitation },
    problems: ['session_needed', 'invitation_closed', 'too_many_pending', 'too_many_members', 'too_many_invitations'],
  }),
  withdrawInvitation: defineRoute({
    id: 'withdrawInvitation',
    method: 'DELETE',
    path: '/auth/v1/organization/{org_id}/invitation/{id}',
    tag,
    summary: 'Withdraws an invitation.',
    access: { right: 'manage' },
    params: z.object({ org_id: id, id }),
    answer: { text: 'ok' },
    problems: ['session_needed', 'invitation_closed'],
  }),
  listMyInvitations: defineRoute({
    id: 'listMyInvitations',
    method: 'GET',
    path: '/account/v1/invitation',
    tag,
    summary: 'The pending invitations to the caller, by account or e-mail address.',
    access: 'account',
    query: z.strictObject(cursorQuery(10)),
    answer: { list: ownInvitation },
    problems: ['session_needed', 'cursor_rule'],
  }),
  acceptInvitation: defineRoute({
    id: 'acceptInvitation',
    method: 'POST',
    path: '/account/v1/invitation/{id}/accept',
    tag,
    summary:
      'Makes the caller a member. From then on, owners and admins see their contact data. Switch to `org_id` next.',
    access: 'account',
    params: ofInvitation,
    answer: { result: z.object({ org_id: z.string(), role }) },
    problems: ['session_needed', 'invitation_closed', 'invitation_void', 'too_many_members'],
  }),
  declineInvitation: defineRoute({
    id: 'declineInvitation',
    method: 'POST',
    path: '/account/v1/invitation/{id}/decline',
    tag,
    summary: 'Declines an invitation. The organisation learns that, and nothing else.',
    access: 'account',
    params: ofInvitation,
    answer: { text: 'ok' },
    problems: ['session_needed', 'invitation_closed'],
  }),
  findAccounts: defineRoute({
    id: 'findAccounts',
    method: 'GET',
    path: '/account/v1/organization/account',
    tag,
    summary: 'Members to choose from, by the beginning of the name or, for owners and admins, of the e-mail address.',
    access: { right: 'view' },
    query: z.strictObject({ q: plainText(254).optional() }),
    answer: { data: z.array(account) },
    problems: [],
  }),
  getPermissionNodes: defineRoute({
    id: 'getPermissionNodes',
    method: 'GET',
    path: '/iam/v1/oauth/front',
    tag: 'iam',
    summary: 'The menus and elements that the caller is shown, in the console of tenants or of operators.',
    access: 'account',
    query: z.strictObject({ console: z.enum(['tenant', 'admin']).default('tenant') }),
    answer: { data: z.array(z.object({ pname: z.string(), peltype: z.enum(['menu', 'element']) })) },
    problems: [],
  }),
};
