// The operators' menus "operation" and "portal" over HTTP: announcements, mails, settings, features, articles, GPU models of the market.

import { PORTAL_COMMANDS as P } from '@gantry/contract/areas/portal/admin-portal.ts';
import { STATUS_COMMANDS } from '@gantry/contract/areas/portal/status.ts';
import { OPERATION_COMMANDS as C } from '@gantry/contract/areas/settings/admin-operation.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { AdminQuery, AdminResourceName, AdminRow } from '@gantry/contract/http/admin.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { problemIn } from '@gantry/contract/http/problem-in.ts';
import { giverOf, noteAsked } from '../../core/billing/giver-of.ts';
import type { Approvals } from '../../core/billing/giving/approvals.ts';
import type { MarketModels } from '../../core/settings/market-models.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Page } from '../../platform/db/list-pages.ts';
import { reasonIn } from '../../platform/http/reason-header.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { Announcement, Announcements } from '../../platform/messages/announcements.ts';
import type { BackupRuns } from '../backups/backup-runs.ts';
import type { ArticleFaults } from '../portal/article-faults.ts';
import type { Articles } from '../portal/articles.ts';
import type { PageViews } from '../portal/page-views.ts';
import type { Previews } from '../portal/previews.ts';
import type { Incidents } from '../portal/status/incidents.ts';
import type { Health } from './health.ts';
import type { MailRows } from './mail-rows.ts';

export interface AdminOperationParts {
  announcements: Pick<Announcements, 'list' | 'get' | 'create' | 'update' | 'delete'>;
  mails: Pick<MailRows, 'page' | 'retry' | 'giveUp'>;
  settings: Settings;
  approvals: Pick<Approvals, 'rows' | 'give' | 'approve' | 'reject'>;
  articles: Articles;
  faults: Pick<ArticleFaults, 'page'>;
  pageViews: Pick<PageViews, 'page'>;
  previews: Pick<Previews, 'links'>;
  incidents: Pick<Incidents, 'page' | 'create' | 'update'>;
  models: Pick<MarketModels, 'page' | 'change'>;
  health: Pick<Health, 'page' | 'rows'>;
  backups: Pick<BackupRuns, 'page' | 'ask'>;
  one<Name extends AdminResourceName>(name: Name, id: string): Promise<AdminRow<Name>>;
}

type Names =
  | 'announcements'
  | 'mails'
  | 'settings'
  | 'features'
  | 'health'
  | 'backups'
  | 'articles'
  | 'article-versions'
  | 'gpu-models'
  | 'article-faults'
  | 'page-views'
  | 'incidents';
type Lists = { [Name in Names]: (query: AdminQuery) => Promise<Page<AdminRow<Name>>> | Page<AdminRow<Name>> };

export const operationLists = (parts: Omit<AdminOperationParts, 'one'>): Lists => ({
  async announcements(query) {
    const { items, ...page } = await parts.announcements.list(query);
    return { ...page, items: items.map(announcementRow) };
  },
  mails: (query) => parts.mails.page(query),
  settings: (query) => parts.settings.settings(query),
  features: (query) => parts.settings.features(query),
  health: (query) => parts.health.page(query),
  backups: (query) => parts.backups.page(query),
  articles: (query) => parts.articles.page(query),
  'article-versions': (query) => parts.articles.versions(query),
  'gpu-models': (query) => parts.models.page(query),
  'page-views': (query) => parts.pageViews.page(query),
  'article-faults': (query) => parts.faults.page(query),
  incidents: (query) => parts.incidents.page(query),
});

export function adminOperationRoutes(parts: AdminOperationParts): Served[] {
  const { announcements, mails, settings, approvals, articles, previews, incidents, models, backups, one } = parts;
  return [
    serve(C.adminCreateAnnouncement, async ({ caller, body, audit, idempotencyKey }) => {
      Object.assign(audit, { reason: body.reason });
      const { title, content } = body;
      const times = timesOf(body.starts_at, body.ends_at);
      const made = await announcements.create({ title, content, ...times }, caller.account.id, idempotencyKey);
      Object.assign(audit, { object: `Announcement/${made.id}` });
      return announcementRow(made);
    }),
    serve(C.adminEditAnnouncement, async ({ params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Announcement/${id}`, reason: body.reason });
      const found = await announcements.get(id);
      if (!found) throw problem('not_found', { what: id });
      const { title, content, starts_at = found.startsAt, ends_at = found.endsAt } = body;
      const times = timesOf(starts_at, ends_at);
      const changed = await announcements.update(id, {
        ...(title && { title }),
        ...(content && { content }),
        ...times,
      });
      if (!changed) throw problem('not_found', { what: id });
      return announcementRow(changed);
    }),
    serve(C.adminDeleteAnnouncement, async ({ params: { id }, req, audit }) => {
      Object.assign(audit, { object: `Announcement/${id}`, reason: reasonIn(req.headers['x-reason']) });
      const found = await announcements.get(id);
      if (!found || !(await announcements.delete(id))) throw problem('not_found', { what: id });
      return announcementRow(found);
    }),
    serve(C.adminRetryMails, async ({ body: { ids, reason }, audit, language }) => {
      Object.assign(audit, { object: mailsIn(ids), reason });
      return outcomesOf(ids, language, (id) => mails.retry(id));
    }),
    serve(C.adminGiveUpMails, async ({ caller, body: { ids, reason }, audit, language }) => {
      Object.assign(audit, { object: mailsIn(ids), reason });
      return outcomesOf(ids, language, (id) => mails.giveUp(id, caller.account.id));
    }),
    serve(C.adminEditSetting, async ({ caller, params: { id }, body, audit, idempotencyKey }) => {
      Object.assign(audit, { object: `Setting/${id}`, reason: body.reason });
      const { value: before } = settings.setting(id);
      audit.reason = changeOf(body.reason, before, body.value);
      const wish = { id, value: body.value };
      const { approvalId } = await approvals.give('setting', wish, giverOf({ caller, idempotencyKey }, body.reason));
      if (approvalId !== null) noteAsked(audit, approvalId);
      return { ...settings.setting(id), approval_id: approvalId };
    }),
    serve(C.adminResetSetting, async ({ caller, params: { id }, req, audit, idempotencyKey }) => {
      const reason = reasonIn(req.headers['x-reason']);
      Object.assign(audit, { object: `Setting/${id}`, reason });
      const { value, installed } = settings.setting(id);
      audit.reason = changeOf(reason, value, installed);
      const giver = giverOf({ caller, idempotencyKey }, reason);
      const { approvalId } = await approvals.give('setting', { id, value: null }, giver);
      if (approvalId !== null) noteAsked(audit, approvalId);
      return { ...settings.setting(id), approval_id: approvalId };
    }),
    serve(C.adminBackUp, async ({ caller, body, audit }) => {
      Object.assign(audit, { reason: body.reason });
      const id = await backups.ask(caller.account.id);
      audit.object = `Backup/${id}`;
      return one('backups', id);
    }),
    serve(C.adminSwitchFeature, async ({ caller, params: { id }, body, audit }) => {
      const { is_open: isOpen, note, reason } = body;
      const before = settings.feature(id).is_open;
      const word = (open: boolean) => (open ? 'open' : 'closed');
      Object.assign(audit, { object: `Feature/${id}`, reason: `${word(before)} → ${word(isOpen)}: ${reason}` });
      await settings.switch(id, { isOpen, note }, caller.account.id);
      return settings.feature(id);
    }),

    serve(P.adminCreateArticle, async ({ caller, body, audit, idempotencyKey }) => {
      Object.assign(audit, { reason: body.reason });
      const id = await articles.create(body, caller.account.id, idempotencyKey);
      audit.object = `Article/${id}`;
      return one('articles', id);
    }),
    serve(P.adminEditArticle, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Article/${id}`, reason: body.reason });
      await articles.edit(id, body, caller.account.id);
      return one('articles', id);
    }),
    serve(P.adminPublishArticle, async ({ caller, params: { id }, body: { number, reason }, audit }) => {
      Object.assign(audit, { object: `Article/${id}`, reason });
      const before = await articles.publish(id, number, caller.account.id);
      audit.reason = `version ${before ?? '–'} → ${number}: ${reason}`;
      return one('articles', id);
    }),
    serve(P.adminPreviewArticle, ({ params: { id }, body }) => previews.links(id, body.number)),
    serve(P.adminWithdrawArticle, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Article/${id}`, reason: body.reason });
      await articles.withdraw(id, caller.account.id);
      return one('articles', id);
    }),
    serve(STATUS_COMMANDS.adminCreateIncident, async ({ caller, body, audit, idempotencyKey }) => {
      Object.assign(audit, { reason: body.reason });
      const { title, text, components, state, started_at: at } = body;
      const wish = { title, text, components, state, startedAt: at === undefined ? undefined : new Date(at) };
      const id = await incidents.create(wish, caller.account.id, idempotencyKey);
      audit.object = `Incident/${id}`;
      return one('incidents', id);
    }),
    serve(STATUS_COMMANDS.adminUpdateIncident, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Incident/${id}`, reason: `${body.state}: ${body.reason}` });
      const { state, text, title, components } = body;
      await incidents.update(id, { state, text, title, components }, caller.account.id);
      return one('incidents', id);
    }),
    serve(P.adminEditGpuModel, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `GpuModel/${id}`, reason: body.reason });
      const { is_shown, position, note } = body;
      await models.change(id, { is_shown, position, note }, caller.account.id);
      return one('gpu-models', id);
    }),
  ];
}

/** The audit log's object has room for so many. */
const MOST_NAMED = 5;
const mailsIn = (ids: readonly string[]): string =>
  `Mail/${ids.slice(0, MOST_NAMED).join(',')}${ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : ''}`;

/** One after the other; a refusal is that one's alone, and any other failure ends it. */
async function outcomesOf(ids: readonly string[], language: Language, work: (id: string) => Promise<void>) {
  const items: { id: string; error: string | null; message: string | null }[] = [];
  for (const id of new Set(ids)) {
    try {
      await work(id);
      items.push({ id, error: null, message: null });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      items.push({ id, error: error.problem, message: problemIn(language, error.problem, error.args) });
    }
  }
  return { items };
}

/** The audit log keeps so many letters of an entry's reason. */
const KEPT = 1024;
const LEAST_OF_VALUE = 60;

/** The reason, and the values as far as they fit beside it. */
export function changeOf(reason: string, before: string, after: string): string {
  const around = ' ("" → "")'.length;
  const why = shortened(reason, KEPT - around - 2 * LEAST_OF_VALUE);
  const most = Math.floor((KEPT - around - why.length) / 2);
  return `${why} ("${shortened(before, most)}" → "${shortened(after, most)}")`;
}

const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function timesOf(starts: string | Date, ends: string | Date): { startsAt: Date; endsAt: Date } {
  const [startsAt, endsAt] = [new Date(starts), new Date(ends)];
  if (startsAt >= endsAt) throw problem('announcement_times', {}, { field: 'ends_at' });
  return { startsAt, endsAt };
}

const announcementRow = (each: Announcement): AdminRow<'announcements'> => ({
  id: each.id,
  title: each.title,
  content: each.content,
  starts_at: each.startsAt.toISOString(),
  ends_at: each.endsAt.toISOString(),
  state: each.state,
  created_at: each.createdAt.toISOString(),
  created_by: each.createdBy,
});
