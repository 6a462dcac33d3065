// The operators' menu "operation": announcements, mails and texts, settings and switches that change at run time, and how the
// platform's own parts are.
import * as z from 'zod';
import { FEATURE_NAMES } from '../../features.ts';
import { dateTime } from '../../fields/date-time.ts';
import { LANGUAGES } from '../../fields/language.ts';
import { plainLines, plainText } from '../../fields/plain-text.ts';
import { approval_id, editedRow, ignored, oneOf, time } from '../../http/admin-resource.ts';
import { MOST_AT_ONCE } from '../../http/call.ts';
import { defineRoute } from '../../http/define-route.ts';

const reason = plainText(1000).meta({ description: 'Why: the audit log keeps it.' });
const ofOne = z.object({ id: z.string().min(1).max(200) });

/** A text of one line in each language; unlike `plainText` with the full-width punctuation that Chinese and Japanese have. */
export const line = (most: number) =>
  plainLines(most).refine((text) => text.trim() !== '' && !/[\t\n\r]/.test(text), 'plain_text');
export const lines = (most: number) => z.strictObject({ en: line(most), zh: line(most), ja: line(most) });
export const texts = (most: number) =>
  z.strictObject({ en: plainLines(most), zh: plainLines(most), ja: plainLines(most) });

export const ANNOUNCEMENT_STATES = ['later', 'holds', 'over'] as const;
const announcement = { title: lines(200), content: texts(4000), starts_at: dateTime, ends_at: dateTime };
const announcementState = z.enum(ANNOUNCEMENT_STATES);

export const MAIL_STATES = ['waiting', 'sent', 'failed', 'givenUp'] as const;
/** Classes of failures: a server's own words may quote the mail. */
export const MAIL_FAILURES = [
  'unreachable',
  'refused',
  'login',
  'address',
  'adapter',
  'notConfigured',
  'unreadable',
  'expired',
  'other',
] as const;
/** The topics of mails. */
export const MAIL_TEMPLATES = [
  'code',
  'alreadyRegistered',
  'invited',
  'invitedAccount',
  'accountMade',
  'accountMadeIn',
  'passwordChanged',
  'passwordChangedAlone',
  'contactChanged',
  'notice',
  'mailboxCode',
] as const;
export type MailTemplate = (typeof MAIL_TEMPLATES)[number];
export type MailState = (typeof MAIL_STATES)[number];
export type MailFailure = (typeof MAIL_FAILURES)[number];
const mailChannel = z.enum(['email', 'phone']);
const mailState = z.enum(MAIL_STATES);
const mailTemplate = z.enum(MAIL_TEMPLATES);
const mailFailure = z.enum(MAIL_FAILURES);

/** Settings that may differ from the installation's options; their names are the options'. */
export const SETTING_NAMES = [
  'contact',
  'docs',
  'support',
  'community',
  'welcome-credit',
  'recharge-limits',
  'real-name-review-hours',
  'low-balance-hours',
  'keep-data-days',
  'alarm-addresses',
  'market-stock',
  'portal-name',
  'portal-logo',
  'portal-accent',
  'portal-footer',
  'legal-number',
  'portal-counts',
] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

export const COMPONENTS = [
  'gateway',
  'operator',
  'nodeAgent',
  'door',
  'database',
  'registry',
  'mail',
  'backup',
  'cluster',
  'contact',
  'issuer',
] as const;
export type Component = (typeof COMPONENTS)[number];
export const HEALTH_STATES = ['ok', 'warning', 'down', 'unknown'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];
/** Planned: the next one by the schedule; removed: it was older than they are kept. */
export const BACKUP_STATES = ['planned', 'waiting', 'running', 'whole', 'failed', 'removed'] as const;
export type BackupState = (typeof BACKUP_STATES)[number];
/** The kinds of trouble; the sentence of each also says what to do. */
export const TROUBLES = [
  'gatewaySilent',
  'gatewayVersions',
  'operatorSilent',
  'operatorMissing',
  'agentSilent',
  'agentMissing',
  'doorMissing',
  'doorNotReady',
  'registrySilent',
  'registryOff',
  'databaseEmbedded',
  'mailOff',
  'mailFailing',
  'backupOff',
  'backupFailed',
  'backupLate',
  'clusterAway',
  'contactOff',
  'issuerOff',
  'notReadable',
] as const;
export type Trouble = (typeof TROUBLES)[number];

export const OPERATION_RESOURCES = {
  announcements: {
    menu: 'operation',
    one: 'announcement',
    row: z.object({
      id: z.string(),
      ...announcement,
      starts_at: time,
      ends_at: time,
      state: announcementState,
      created_at: time,
      created_by: z.string().nullable(),
    }),
    columns: ['title', 'state', 'starts_at', 'ends_at', 'created_by', 'created_at'],
    order: ['starts_at', 'DESC'],
    references: { created_by: 'users' },
    sort: ['id', 'starts_at', 'ends_at', 'created_at'],
    filter: { state: oneOf(announcementState) },
    edits: ['title', 'content', 'starts_at', 'ends_at'],
  },
  mails: {
    menu: 'operation',
    one: 'mail or text message',
    row: z.object({
      id: z.string(),
      created_at: time,
      channel: mailChannel,
      /** With most of it hidden. */
      address: z.string(),
      /** Null: of another version. */
      template: mailTemplate.nullable(),
      language: z.enum(LANGUAGES),
      state: mailState,
      tries: z.int(),
      /** While it waits. */
      next_try_at: time.nullable(),
      useless_at: time,
      sent_at: time.nullable(),
      failed_at: time.nullable(),
      failure: mailFailure.nullable(),
      can_retry: z.boolean(),
    }),
    columns: ['created_at', 'address', 'channel', 'template', 'state', 'tries', 'next_try_at', 'failure'],
    order: ['created_at', 'DESC'],
    sort: ['id', 'created_at', 'tries', 'next_try_at', 'useless_at', 'sent_at', 'failed_at'],
    filter: {
      /** All of it, as the person says it. */
      address: oneOf(z.string().min(1).max(254)),
      state: oneOf(mailState),
      channel: oneOf(mailChannel),
      template: oneOf(mailTemplate),
    },
  },
  settings: {
    menu: 'operation',
    one: 'setting',
    row: z.object({
      id: z.enum(SETTING_NAMES),
      value: z.string(),
      /** The value of the installation's option. */
      installed: z.string(),
      is_changed: z.boolean(),
      changed_at: time.nullable(),
      changed_by: z.string().nullable(),
    }),
    columns: ['id', 'value', 'installed', 'is_changed', 'changed_by', 'changed_at'],
    references: { changed_by: 'users' },
    sort: ['id', 'changed_at'],
    filter: { is_changed: z.boolean().optional() },
    edits: ['value'],
  },
  features: {
    menu: 'operation',
    one: 'feature',
    row: z.object({
      id: z.enum(FEATURE_NAMES),
      is_open: z.boolean(),
      note: texts(500).nullable(),
      changed_at: time.nullable(),
      changed_by: z.string().nullable(),
    }),
    columns: ['id', 'is_open', 'note', 'changed_by', 'changed_at'],
    references: { changed_by: 'users' },
    sort: ['id', 'changed_at'],
    filter: { is_open: z.boolean().optional() },
    edits: ['is_open', 'note'],
  },
  health: {
    menu: 'operation',
    one: "part of the platform's",
    row: z.object({
      id: z.string(),
      component: z.enum(COMPONENTS),
      name: z.string(),
      state: z.enum(HEALTH_STATES),
      version: z.string().nullable(),
      since: time.nullable(),
      seen_at: time.nullable(),
      trouble: z.enum(TROUBLES).nullable(),
    }),
    columns: ['component', 'name', 'state', 'version', 'since', 'seen_at', 'trouble'],
    sort: ['id', 'component', 'name', 'state', 'version', 'since', 'seen_at'],
    filter: { component: oneOf(z.enum(COMPONENTS)), state: oneOf(z.enum(HEALTH_STATES)) },
  },
  backups: {
    menu: 'operation',
    one: 'backup',
    row: z.object({
      id: z.string(),
      state: z.enum(BACKUP_STATES),
      asked_at: time.nullable(),
      /** Null: the schedule. */
      asked_by: z.string().nullable(),
      begun_at: time.nullable(),
      ended_at: time.nullable(),
      bytes: z.int().nullable(),
      rows: z.int().nullable(),
      objects: z.int().nullable(),
      /** In the words of whatever failed. */
      failure: z.string().nullable(),
    }),
    columns: ['asked_at', 'state', 'bytes', 'rows', 'objects', 'asked_by', 'ended_at', 'failure'],
    order: ['asked_at', 'DESC'],
    references: { asked_by: 'users' },
    sort: ['id', 'state', 'asked_at', 'ended_at', 'bytes'],
    filter: { state: oneOf(z.enum(BACKUP_STATES)) },
  },
} as const;

const change = <T extends z.ZodRawShape>(name: keyof typeof OPERATION_RESOURCES, shape: T) =>
  z.strictObject({ ...ignored(OPERATION_RESOURCES[name].row), ...shape, reason } as T & { reason: typeof reason });

const tag = 'admin';
const access = { platform: 'operation' } as const;
const byAdministrators = { platform: 'operation', role: 'administrator' } as const;

const severalMails = z.strictObject({ ids: z.array(z.string().min(1).max(63)).min(1).max(MOST_AT_ONCE), reason });
/** The outcome for each one: a failure of one does not stop the others. */
const outcomes = z.object({
  items: z.array(z.object({ id: z.string(), error: z.string().nullable(), message: z.string().nullable() })),
});

export const OPERATION_COMMANDS = {
  adminCreateAnnouncement: defineRoute({
    id: 'adminCreateAnnouncement',
    method: 'POST',
    path: '/admin/announcements',
    tag,
    summary: 'Tells everybody something, from a start to an end.',
    access,
    body: z.strictObject({ ...announcement, reason }),
    answer: { raw: OPERATION_RESOURCES.announcements.row },
    status: 201,
    problems: ['announcement_times'],
  }),
  adminEditAnnouncement: defineRoute({
    id: 'adminEditAnnouncement',
    method: 'PUT',
    path: '/admin/announcements/{id}',
    tag,
    summary: 'Changes an announcement, also for those who have it.',
    access,
    params: ofOne,
    body: change('announcements', {
      title: announcement.title.optional(),
      content: announcement.content.optional(),
      starts_at: dateTime.optional(),
      ends_at: dateTime.optional(),
    }),
    answer: { raw: editedRow(OPERATION_RESOURCES.announcements.row) },
    problems: ['announcement_times', 'edited_meanwhile'],
  }),
  adminDeleteAnnouncement: defineRoute({
    id: 'adminDeleteAnnouncement',
    method: 'DELETE',
    path: '/admin/announcements/{id}',
    tag,
    summary: 'Takes an announcement from every reader; the header X-Reason says why, percent-encoded.',
    access,
    params: ofOne,
    answer: { raw: OPERATION_RESOURCES.announcements.row },
    problems: ['reason_needed'],
  }),
  adminRetryMails: defineRoute({
    id: 'adminRetryMails',
    method: 'POST',
    path: '/admin/mails/retry',
    tag,
    summary:
      'Sends mails now that wait, or that failed for good and still have their content; each with what became of it.',
    access,
    body: severalMails,
    answer: { raw: outcomes },
    problems: ['mail_done', 'mail_useless'],
  }),
  adminGiveUpMails: defineRoute({
    id: 'adminGiveUpMails',
    method: 'POST',
    path: '/admin/mails/give-up',
    tag,
    summary: 'Tries no more to send mails, and erases their content; each with what became of it.',
    access,
    body: severalMails,
    answer: { raw: outcomes },
    problems: ['mail_done'],
  }),
  adminEditSetting: defineRoute({
    id: 'adminEditSetting',
    method: 'PUT',
    path: '/admin/settings/{id}',
    tag,
    summary: 'Changes a setting for every gateway, within seconds; by the rules of the option of that name.',
    access: byAdministrators,
    params: ofOne,
    // A picture is a data URL.
    body: change('settings', { value: plainLines(64 * 1024) }),
    answer: { raw: editedRow(OPERATION_RESOURCES.settings.row).extend({ approval_id }) },
    problems: [
      'setting_link',
      'setting_amount',
      'setting_limits',
      'setting_hours',
      'setting_hour_list',
      'setting_days',
      'setting_addresses',
      'setting_stock',
      'setting_name',
      'setting_logo',
      'setting_color',
      'setting_footer',
      'setting_legal_number',
      'setting_switch',
      'edited_meanwhile',
    ],
  }),
  adminResetSetting: defineRoute({
    id: 'adminResetSetting',
    method: 'DELETE',
    path: '/admin/settings/{id}',
    tag,
    summary: "Back to what the installation's option says; the header X-Reason says why, percent-encoded.",
    access: byAdministrators,
    params: ofOne,
    answer: { raw: OPERATION_RESOURCES.settings.row.extend({ approval_id }) },
    problems: ['reason_needed'],
  }),
  adminBackUp: defineRoute({
    id: 'adminBackUp',
    method: 'POST',
    path: '/admin/backups',
    tag,
    summary: 'Makes a backup within seconds, in the background, one at a time: its row says how far it is.',
    access: byAdministrators,
    body: z.strictObject({ reason }),
    answer: { raw: OPERATION_RESOURCES.backups.row },
    status: 202,
    problems: ['backup_off', 'backup_running'],
  }),
  adminSwitchFeature: defineRoute({
    id: 'adminSwitchFeature',
    method: 'PUT',
    path: '/admin/features/{id}',
    tag,
    summary: 'Closes or opens a feature for everybody, within seconds, with a sentence for those who meet it closed.',
    access: byAdministrators,
    params: ofOne,
    body: change('features', { is_open: z.boolean(), note: texts(500).nullish() }),
    answer: { raw: editedRow(OPERATION_RESOURCES.features.row) },
    problems: ['edited_meanwhile'],
  }),
};
