// Alarms, contact points, and what becomes of policies besides what all kinds have: of the token's organisation.
import { ALERT_METRICS } from '@gantry/contract/alerts/metrics.ts';
import { alertWords } from '@gantry/contract/alerts/words.ts';
import {
  type AlarmDetailView,
  type AlarmStatus,
  type AlarmView,
  type ContactView,
  type MailboxView,
  ALERT_ROUTES as R,
} from '@gantry/contract/areas/alerts/alerts.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type AlertPolicy, type AlertPolicySpec, alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import type { AlarmRow, Alarms, FlowRow } from './alarms.ts';
import type { ContactRow, Contacts } from './contacts.ts';
import type { Mailbox, Mailboxes } from './mailboxes.ts';
import { previewOf, tell } from './message.ts';
import type { MuteLinks } from './mute-links.ts';
import { policyChanges } from './policy-changes.ts';
import type { PolicyPast } from './policy-past.ts';
import { muteByLink, setPolicyStatus } from './switch-policy.ts';
import type { WatchedObjects } from './watched-objects.ts';

interface AlertRooms {
  alarms: Alarms;
  contacts: Contacts;
  links: MuteLinks;
  mailboxes: Mailboxes;
  objects: WatchedObjects;
  past: PolicyPast;
}

export function alertRoutes(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  { cache, kinds }: Pick<Cluster, 'cache' | 'kinds'>,
  { alarms, contacts, links, mailboxes, objects, past }: AlertRooms,
): Served[] {
  const mailboxView = (row: Mailbox, language: Language): MailboxView => ({
    ...{ address: row.address, state: row.state, language: row.language },
    state_label: alertWords.mailboxStates[row.state][language],
    create_time: row.createdAt.toISOString(),
    confirm_time: row.confirmedAt?.toISOString() ?? null,
  });
  const shown = (row: AlarmRow, language: Language): AlarmView => {
    const spec = { content: objects.byUid().get(row.policyUid)?.spec.content };
    const { text } = tell(spec, 'fired', [objects.told(row.organizationId, row)], language);
    return alarmView(row, alarms.statusOf(row), text, clock.now(), language);
  };
  const detail = async ({ organization }: Caller, id: string, language: Language): Promise<AlarmDetailView> => {
    const { row, flow } = await alarms.get(organization.id, id);
    return { ...shown(row, language), records: flow.map((line) => recordView(line, language)) };
  };
  return [
    serve(R.listAlerts, async ({ caller, query, language }) => {
      const { items, total, ...extra } = await alarms.list(caller.organization.id, query);
      return { items: items.map((row) => shown(row, language)), total, extra };
    }),
    serve(R.getAlert, ({ caller, params, language }) => detail(caller, params.id, language)),
    serve(R.operateAlert, async ({ caller, params, body, language, audit }) => {
      audit.object = `Alarm/${params.id}`;
      const who = { organizationId: caller.organization.id, account: caller.account.name };
      await alarms.operate(who, params.id, body.operation, body.minutes);
      return detail(caller, params.id, language);
    }),
    serve(R.queryAlert, async ({ caller, params, body, signal }) => {
      const { row } = await alarms.get(caller.organization.id, params.id);
      return { points: await past.query(caller, row, body, signal) };
    }),
    serve(R.updatePolicyStatus, async ({ caller, params, body, language, audit }) => {
      audit.object = `AlertPolicy/${params.id}`;
      await setPolicyStatus({ clock, kinds }, caller, params.id, body, language);
    }),
    serve(R.listPolicyChanges, async ({ caller, params, query, language }) => {
      const { organization } = caller;
      const policy = cache.get<AlertPolicy>(alertPolicy, organization.namespace, params.id);
      if (!policy) throw problem('not_found', { what: params.id });
      const since = new Date(instantOf(policy.metadata.creationTimestamp) ?? 0);
      const of = { organizationId: organization.id, id: params.id, since };
      const { items, total, ...extra } = await policyChanges(db, of, query);
      return {
        items: items.map((change) => ({ ...change, label: alertWords.changes[change.action][language] })),
        ...{ total, extra },
      };
    }),
    serve(R.previewPolicy, ({ body, language }) =>
      previewOf(body as unknown as AlertPolicySpec, language, clock.now()),
    ),
    serve(R.testPolicy, async ({ caller, body, signal }) => {
      const draft = body as unknown as AlertPolicySpec;
      const {
        start,
        end,
        alarms: raised,
        series,
        pointMs,
      } = await past.test(caller.organization.namespace, draft, signal);
      return {
        start_time: isoOf(start),
        end_time: isoOf(end),
        alarms: raised.map(({ object, labels, from, to }) => ({
          object,
          group: { ...labels },
          start_time: isoOf(from),
          end_time: to === undefined ? null : isoOf(to),
        })),
        step: pointMs / 1000,
        series: series.map(({ object, labels, points }) => ({ object, group: { ...labels }, points })),
      };
    }),
    serve(R.muteByLink, async ({ body, audit }) => {
      const { organizationId, id, policy, mutedUntil, hasMuted } = await muteByLink(
        { clock, db },
        { kinds, links, objects },
        body.token,
        body.confirm,
      );
      audit.organizationId = organizationId;
      // Whoever only looks has changed nothing.
      if (hasMuted) audit.object = `AlertPolicy/${id}`;
      return { policy, muted_until: mutedUntil === undefined ? null : isoOf(mutedUntil) };
    }),
    serve(R.listAlertContacts, async ({ caller }) => (await contacts.list(caller.organization.id)).map(contactView)),
    serve(R.setAlertContact, async ({ caller, body: { name, ...contact }, audit }) => {
      audit.object = `AlertContact/${name}`;
      const who = { organizationId: caller.organization.id, creatorId: caller.account.id };
      return contactView(await contacts.set(who, name, contact));
    }),
    serve(R.deleteAlertContact, async ({ caller, params, audit }) => {
      audit.object = `AlertContact/${params.id}`;
      await contacts.remove(caller.organization.id, params.id);
    }),
    serve(R.listAlertMailboxes, async ({ caller, language }) =>
      (await mailboxes.list(caller.organization.id)).map((row) => mailboxView(row, language)),
    ),
    serve(R.addAlertMailbox, async ({ caller, body, language, audit }) => {
      audit.object = 'AlertMailbox';
      const who = { organizationId: caller.organization.id, creatorId: caller.account.id };
      return mailboxView(await mailboxes.add(who, body), language);
    }),
    serve(R.confirmAlertMailbox, async ({ caller, body: { address, code }, language, audit }) => {
      audit.object = 'AlertMailbox';
      return mailboxView(await mailboxes.confirm(caller.organization.id, address, code), language);
    }),
    serve(R.deleteAlertMailbox, async ({ caller, params, audit }) => {
      audit.object = 'AlertMailbox';
      await mailboxes.remove(caller.organization.id, params.address);
    }),
    serve(R.unsubscribeByLink, async ({ body: { token, confirm }, audit }) => {
      const { organizationId, address, isOver } = await mailboxes.unsubscribe(token, confirm);
      audit.organizationId = organizationId;
      if (confirm) audit.object = 'AlertMailbox';
      return { address, unsubscribed: isOver };
    }),
    serve(R.unsubscribeAtOnce, async ({ params, audit }) => {
      const { organizationId } = await mailboxes.unsubscribe(params.token, true);
      audit.organizationId = organizationId;
      audit.object = 'AlertMailbox';
    }),
  ];
}

const isoOf = (at: number): string => new Date(at).toISOString();

const contactView = ({ name, type, host, createdAt }: ContactRow): ContactView => ({
  name,
  type,
  host,
  create_time: createdAt.toISOString(),
});

function alarmView(row: AlarmRow, status: AlarmStatus, content: string, now: number, language: Language): AlarmView {
  const metric = ALERT_METRICS[row.metric as keyof typeof ALERT_METRICS];
  const end = row.endedAt?.getTime() ?? now;
  return {
    id: row.id,
    status,
    status_label: alertWords.statuses[status][language],
    level: row.level,
    level_label: alertWords.levels[row.level][language],
    strategy: { id: row.policy, name: row.title },
    metric: row.metric,
    metric_label: metric ? metric[language] : row.metric,
    kind: row.kind,
    object: row.object,
    group: row.labels,
    value: row.value,
    content,
    generation_time: row.firedAt?.toISOString() ?? null,
    first_abnormal_time: row.firstAbnormalAt.toISOString(),
    end_time: row.endedAt?.toISOString() ?? null,
    duration_seconds: Math.max(0, Math.round((end - row.firstAbnormalAt.getTime()) / 1000)),
    shielded_until: row.shieldedUntil?.toISOString() ?? null,
  };
}

function recordView({ at, type, what, args }: FlowRow, language: Language): AlarmDetailView['records'][number] {
  const words = alertWords.flow[what as keyof typeof alertWords.flow];
  const failure = alertWords.failures[args.reason as keyof typeof alertWords.failures];
  const level = alertWords.levels[args.level as keyof typeof alertWords.levels];
  const channel = alertWords.channels[args.channel as keyof typeof alertWords.channels];
  const filled = {
    ...args,
    ...(channel && { channel: channel[language] }),
    ...(failure && { detail: sentence(failure, language, args) }),
    ...(level && { level: level[language] }),
  };
  return { time: at.toISOString(), type, what, message: words ? sentence(words, language, filled) : what };
}
