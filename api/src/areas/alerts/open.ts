// Joins what alerts need: the cluster's policies and objects, Prometheus, money, people and their messages.
import { organizationNamespace } from '@gantry/contract/names.ts';
import type { Core } from '../../core/open.ts';
import { Turn, together } from '../../platform/db/turn.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import { AlarmStore } from './alarm-store.ts';
import { Alarms } from './alarms.ts';
import { alertRoutes } from './alert-routes.ts';
import { Contacts } from './contacts.ts';
import { Evaluator } from './evaluator.ts';
import { Mailboxes } from './mailboxes.ts';
import { MuteLinks } from './mute-links.ts';
import { isMuted, Notifier } from './notifier.ts';
import { platformSamples } from './platform-samples.ts';
import { PolicyPast } from './policy-past.ts';
import { PolicyStatuses } from './policy-statuses.ts';
import { postAlarm } from './post-alarm.ts';
import { scopeOwnQuery } from './scope-own-query.ts';
import { sendAlarmBell } from './send-alarm-bell.ts';
import { sendAlarmMail } from './send-alarm-mail.ts';
import { WatchedObjects } from './watched-objects.ts';

interface OpenAlerts {
  routes: readonly Served[];
  start(): void;
  stop(): Promise<void>;
}

const MIB = 1024 * 1024;
/** One question of the platform's own is about all organisations at once. */
const ASK_LIMITS = { deadlineMs: 5_000, mostSeries: 200_000, mostBytes: 128 * MIB };
/** A tenant's query makes as many series as it likes, out of no series at all. */
const OWN_LIMITS = { deadlineMs: 5_000, mostSeries: 1_000, mostBytes: 2 * MIB };

export function openAlerts(platform: Platform, { cluster, billing, messages, people }: Core): OpenAlerts {
  const { config, db, clock, log, prometheus, publicUrl } = platform;
  const { secrets, mails } = people;
  const key = config.keyed('alert-links');
  const objects = new WatchedObjects(cluster);
  const muted = (organizationId: string) =>
    objects
      .policies(organizationNamespace(organizationId))
      .filter((policy) => isMuted(policy, clock.now()))
      .map(({ metadata }) => metadata.uid ?? '');
  const alarms = new Alarms({ db, clock, muted });
  const contacts = new Contacts({ db, clock, secrets, allowInner: config.alertsAllowInner });
  const links = new MuteLinks({ db, clock, key });
  const mailboxes = new Mailboxes({ db, clock, secrets, mails, key });
  const statuses = new PolicyStatuses(platform, cluster, objects, mailboxes);
  const evaluator = new Evaluator({
    store: new AlarmStore(db),
    clock,
    log,
    policies: () => objects.evaluated(clock.now()),
    exists: (uid) => objects.exists(uid, clock.now()),
    ...(prometheus && {
      ask: (query: string, at: number, signal: AbortSignal, isOwn: boolean) =>
        prometheus.instant(query, at, { ...(isOwn ? OWN_LIMITS : ASK_LIMITS), signal }),
    }),
    scope: scopeOwnQuery,
    objectOf: (labels) => objects.of(labels),
    platform: (metric, namespaces) => platformSamples({ cluster, billing }, metric, namespaces),
    lifeOf: (policy, of) => objects.lifeOf(policy, of, clock.now()),
    due: (policy) => objects.due(policy, clock.now()),
    evaluated: (...said) => statuses.evaluated(...said),
  });
  const mailWays = { secrets, clock, publicUrl, canText: config.smsUrl !== '', links, mailboxes };
  const notifier = new Notifier({
    db,
    clock,
    log,
    policyOf: (uid) => objects.byUid().get(uid),
    put: (tx, delivery) =>
      delivery.type === 'Bell'
        ? sendAlarmBell(messages.store, tx, objects.named(delivery))
        : sendAlarmMail(mailWays, tx, objects.named(delivery)),
    post: (delivery) => postAlarm(platform, contacts, objects.named(delivery)),
    wake: () => messages.store.wake(),
    delivered: (...said) => statuses.delivered(...said),
  });
  const turn = new Turn({ db, clock, log }, 'alerts');
  const past = new PolicyPast(platform, objects);
  return {
    routes: alertRoutes(platform, cluster, { alarms, contacts, links, mailboxes, objects, past }),
    start: () =>
      turn.start((signal) =>
        together(signal, [
          (within) => evaluator.run(within),
          (within) => notifier.run(within),
          (within) => statuses.run(within),
        ]),
      ),
    stop: () => turn.stop(),
  };
}
