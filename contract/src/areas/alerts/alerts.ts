// Alarms, what becomes of policies besides what all kinds have, and where organisations are notified.
import * as z from 'zod';
import { LANGUAGES } from '../../fields/language.ts';
import { email } from '../../fields/person.ts';
import { defineRoute } from '../../http/define-route.ts';
import { objectId } from '../../http/kind-bodies.ts';
import { org_id } from '../../http/kind-routes.ts';
import { cursorQuery } from '../../http/paging.ts';
import { ALERT_LEVELS, alertPolicy } from '../../kinds/alert-policy.ts';
import { ASKING, QUERY_REFUSALS } from '../monitoring/monitor.ts';

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;

const tag = 'alert';
const time = z.iso.datetime();
const minutes = z
  .int()
  .min(1)
  .max(43_200)
  .default(30)
  .meta({ description: 'For how long; 30 minutes if it is left out.' });
const params = z.object({ id: objectId });

/** `shielded`: it is firing, and nobody is notified. */
export const ALARM_STATUSES = ['inactive', 'firing', 'shielded', 'resolved', 'closed'] as const;
export type AlarmStatus = (typeof ALARM_STATUSES)[number];

const alarm = z.object({
  id: z.string(),
  status: z.enum(ALARM_STATUSES),
  status_label: z.string(),
  level: z.enum(ALERT_LEVELS),
  level_label: z.string(),
  strategy: z.object({ id: z.string(), name: z.string() }).meta({ description: 'The policy.' }),
  metric: z.string(),
  metric_label: z.string(),
  kind: z.string(),
  object: z.string().nullable().meta({ description: 'The id of the object; null where a query names none.' }),
  group: z.record(z.string(), z.string()).meta({ description: 'The labels that tell it from others of the policy.' }),
  value: z.number().nullable(),
  content: z.string(),
  generation_time: time.nullable().meta({ description: 'When it began to fire.' }),
  first_abnormal_time: time,
  end_time: time.nullable(),
  duration_seconds: z.int().min(0),
  shielded_until: time.nullable(),
});
export type AlarmView = z.input<typeof alarm>;

const alarmDetail = alarm.extend({
  records: z
    .array(z.object({ time, type: z.enum(['system', 'manual']), what: z.string(), message: z.string() }))
    .meta({ description: 'What happened to it, oldest first.' }),
});
export type AlarmDetailView = z.input<typeof alarmDetail>;

const told = z.object({ title: z.string(), text: z.string() });

export const CONTACT_TYPES = ['Webhook', 'Slack', 'DingTalk'] as const;
const contact = z.object({
  name: z.string(),
  type: z.enum(CONTACT_TYPES),
  host: z.string().meta({ description: 'Where it goes; the rest of the address is a secret.' }),
  create_time: time,
});
export type ContactView = z.input<typeof contact>;

export const contactBody = z.strictObject({
  name: objectId,
  type: z.enum(CONTACT_TYPES),
  url: z.url({ protocol: /^https?$/ }).max(2048),
  key: z
    .string()
    .max(256)
    .default('')
    .meta({ description: 'What calls are signed with. Of DingTalk: the robot’s secret, if it has one.' }),
});

const MAILBOX_STATES = ['unconfirmed', 'confirmed', 'unsubscribed'] as const;
const mailbox = z.object({
  address: z.string(),
  state: z.enum(MAILBOX_STATES),
  state_label: z.string(),
  language: z.enum(LANGUAGES),
  create_time: time,
  confirm_time: time.nullable(),
});
export type MailboxView = z.input<typeof mailbox>;
export const mailboxBody = z.strictObject({
  address: email,
  language: z.enum(LANGUAGES).default('en').meta({ description: 'In which language it is written to.' }),
});
export const mailboxCodeBody = z.strictObject({ address: email, code: z.string().regex(/^\d{6}$/, 'code_wrong') });

/** The names that audit entries give to changes of a policy. */
export const POLICY_CHANGES = [
  'createPolicy',
  'updatePolicy',
  'updatePolicyStatus',
  'actPolicy',
  'batchPolicies',
  'muteByLink',
] as const;
const policyChange = z.object({
  time,
  account: z
    .string()
    .nullable()
    .meta({ description: 'The name of whoever did it; null: whoever had the link of a mail.' }),
  action: z.enum(POLICY_CHANGES),
  label: z.string(),
});
export type PolicyChangeView = z.input<typeof policyChange>;

const policyBody = alertPolicy.api.writes?.create as z.ZodType<Record<string, unknown>>;

export const ALERT_ROUTES = {
  updatePolicyStatus: defineRoute({
    id: 'updatePolicyStatus',
    method: 'POST',
    path: '/monitor/v1/alert/policies/{id}/update_status',
    tag,
    summary: 'Enables, disables or mutes a policy.',
    access: { right: 'use' },
    params,
    body: z.strictObject({
      status: z.enum(['enabled', 'disabled', 'blocking']).meta({ description: 'blocking: muted.' }),
      minutes,
    }),
    answer: { text: 'ok' },
    problems: ['action_not_allowed', 'policy_refused'],
  }),
  listPolicyChanges: defineRoute({
    id: 'listPolicyChanges',
    method: 'GET',
    path: '/monitor/v1/alert/policies/{id}/changes',
    tag,
    summary:
      'Who changed a policy in the console or over HTTP, newest first. What kubectl changes, the log of the API server has.',
    access: { right: 'view' },
    params,
    query: z.strictObject({ ...cursorQuery(), org_id }),
    answer: { list: policyChange },
    problems: ['cursor_rule'],
  }),
  previewPolicy: defineRoute({
    id: 'previewPolicy',
    method: 'POST',
    path: '/monitor/v1/alert/policies/preview',
    tag,
    summary: 'What a notification of such a policy would say, with values of its own making.',
    access: { right: 'use' },
    body: policyBody,
    answer: { result: z.object({ fired: told, resolved: told }) },
    problems: [],
  }),
  testPolicy: defineRoute({
    id: 'testPolicy',
    method: 'POST',
    path: '/monitor/v1/alert/policies/test',
    tag,
    summary: 'When such a policy would have had alarms in the last seven days.',
    access: { right: 'use' },
    body: policyBody,
    answer: {
      result: z.object({
        start_time: time,
        end_time: time,
        alarms: z.array(
          z.object({
            object: z.string().nullable(),
            group: z.record(z.string(), z.string()),
            start_time: time,
            end_time: time.nullable().meta({ description: 'Null: it would be firing now.' }),
          }),
        ),
        step: z.int().min(1).meta({ description: 'How many seconds each point of a series stands for.' }),
        series: z
          .array(
            z.object({
              object: z.string().nullable(),
              group: z.record(z.string(), z.string()),
              points: z.array(z.number().nullable()).meta({
                description:
                  'From start_time on, each the value of its time that is nearest to an alarm; null: no data.',
              }),
            }),
          )
          .meta({ description: 'What was measured, of twenty series at most; those with alarms first.' }),
      }),
    },
    problems: ['policy_not_testable', 'monitor_refused', ...ASKING, ...QUERY_REFUSALS],
  }),
  listAlerts: defineRoute({
    id: 'listAlerts',
    method: 'GET',
    path: '/monitor/v1/alert/events',
    tag,
    summary: 'Alarms of the organisation, newest first.',
    access: { right: 'view' },
    query: z.strictObject({
      ...cursorQuery(),
      org_id,
      status: z.enum(ALARM_STATUSES).optional(),
      level: z.enum(ALERT_LEVELS).optional(),
      policy: objectId.optional().meta({ description: 'The id of a policy.' }),
      object: objectId.optional().meta({ description: 'The id of an object.' }),
    }),
    answer: { list: alarm },
    problems: ['cursor_rule'],
  }),
  getAlert: defineRoute({
    id: 'getAlert',
    method: 'GET',
    path: '/monitor/v1/alert/events/{id}',
    tag,
    summary: 'One alarm, and what happened to it.',
    access: { right: 'view' },
    params,
    query: z.strictObject({ org_id }),
    answer: { result: alarmDetail },
    problems: [],
  }),
  operateAlert: defineRoute({
    id: 'operateAlert',
    method: 'POST',
    path: '/monitor/v1/alert/events/{id}/operate',
    tag,
    summary: 'Closes an alarm, or shields it: it goes on, and nobody is notified.',
    access: { right: 'use' },
    params,
    body: z.strictObject({ operation: z.enum(['close', 'shield', 'unshield']), minutes }),
    answer: { result: alarmDetail },
    problems: ['alarm_over'],
  }),
  queryAlert: defineRoute({
    id: 'queryAlert',
    method: 'POST',
    path: '/monitor/v1/alert/events/{id}/query',
    tag,
    summary: 'What its policy measured around it.',
    access: { right: 'view' },
    params,
    body: z.strictObject({
      start: z.int().min(0).max(LAST_SECOND).meta({ description: 'In seconds since 1970.' }),
      end: z.int().min(0).max(LAST_SECOND),
      step: z.int().min(15).max(604_800).meta({ description: 'In seconds.' }),
    }),
    answer: {
      result: z.object({ points: z.array(z.tuple([z.int(), z.number().nullable()])) }),
    },
    problems: ['policy_not_testable', 'monitor_refused', ...ASKING, ...QUERY_REFUSALS],
  }),
  muteByLink: defineRoute({
    id: 'muteByLink',
    method: 'POST',
    path: '/monitor/v1/alert/mute',
    tag,
    summary: 'What the link of a mail leads to: mutes the policy for 30 minutes, once, if it is confirmed.',
    access: 'public',
    body: z.strictObject({ token: z.string().min(1).max(1024), confirm: z.boolean() }),
    answer: { result: z.object({ policy: z.string(), muted_until: time.nullable() }) },
    problems: ['link_invalid'],
    attemptsPerMinute: 30,
  }),
  listAlertContacts: defineRoute({
    id: 'listAlertContacts',
    method: 'GET',
    path: '/monitor/v1/alert/contacts',
    tag,
    summary: 'The contact points that policies may name.',
    access: { right: 'view' },
    query: z.strictObject({ org_id }),
    answer: { data: z.array(contact) },
    problems: [],
  }),
  setAlertContact: defineRoute({
    id: 'setAlertContact',
    method: 'POST',
    path: '/monitor/v1/alert/contacts',
    tag,
    summary: 'Sets a contact point. Its address and key are never shown again.',
    access: { right: 'use' },
    body: contactBody,
    answer: { result: contact },
    problems: ['inner_address', 'too_many_contacts'],
  }),
  deleteAlertContact: defineRoute({
    id: 'deleteAlertContact',
    method: 'DELETE',
    path: '/monitor/v1/alert/contacts/{id}',
    tag,
    summary: 'Removes a contact point. Policies that name it notify nobody by it.',
    access: { right: 'use' },
    params,
    query: z.strictObject({ org_id }),
    answer: { text: 'ok' },
    problems: [],
  }),
  listAlertMailboxes: defineRoute({
    id: 'listAlertMailboxes',
    method: 'GET',
    path: '/monitor/v1/alert/mailboxes',
    tag,
    summary: 'Addresses beyond members’ that policies may mail to, once they have confirmed.',
    access: { right: 'use' },
    query: z.strictObject({ org_id }),
    answer: { data: z.array(mailbox) },
    problems: [],
  }),
  addAlertMailbox: defineRoute({
    id: 'addAlertMailbox',
    method: 'POST',
    path: '/monitor/v1/alert/mailboxes',
    tag,
    summary:
      'Mails a code to an address, such as a team’s; with the code it is confirmed. An address gets five codes a day, and an organisation has twenty.',
    access: { right: 'use' },
    body: mailboxBody,
    answer: { result: mailbox },
    problems: [
      'email_rule',
      'cannot_send',
      'too_many_contacts',
      'too_many_attempts',
      'code_too_soon',
      'mailbox_confirmed',
    ],
  }),
  confirmAlertMailbox: defineRoute({
    id: 'confirmAlertMailbox',
    method: 'POST',
    path: '/monitor/v1/alert/mailboxes/confirm',
    tag,
    summary: 'Confirms an address by the code that was mailed to it: ten minutes, five tries.',
    access: { right: 'use' },
    body: mailboxCodeBody,
    answer: { result: mailbox },
    problems: ['email_rule', 'code_wrong'],
  }),
  deleteAlertMailbox: defineRoute({
    id: 'deleteAlertMailbox',
    method: 'DELETE',
    path: '/monitor/v1/alert/mailboxes/{address}',
    tag,
    summary: 'Removes an address: nothing is mailed to it any more.',
    access: { right: 'use' },
    params: z.object({ address: email }),
    query: z.strictObject({ org_id }),
    answer: { text: 'ok' },
    problems: ['email_rule'],
  }),
  unsubscribeByLink: defineRoute({
    id: 'unsubscribeByLink',
    method: 'POST',
    path: '/monitor/v1/alert/unsubscribe',
    tag,
    summary:
      'What the link of a mail leads to: ends mails of one organisation’s alarms to one address, if it is confirmed.',
    access: 'public',
    body: z.strictObject({ token: z.string().min(1).max(1024), confirm: z.boolean() }),
    answer: { result: z.object({ address: z.string(), unsubscribed: z.boolean() }) },
    problems: ['link_invalid'],
    attemptsPerMinute: 30,
  }),
  unsubscribeAtOnce: defineRoute({
    id: 'unsubscribeAtOnce',
    method: 'POST',
    path: '/monitor/v1/alert/unsubscribe/{token}',
    tag,
    summary: 'The same for mail programs, which send List-Unsubscribe=One-Click (RFC 8058) on behalf of a person.',
    access: 'public',
    params: z.object({ token: z.string().min(1).max(1024) }),
    answer: { text: 'ok' },
    problems: ['link_invalid'],
    attemptsPerMinute: 30,
  }),
};
