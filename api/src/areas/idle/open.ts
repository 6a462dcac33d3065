// Joins what is known of idleness: use, visits and requests, prices; and carries out what the policy decides.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import type { IdlePolicy } from '@gantry/contract/fields/idle.ts';
import { type ContainerService, containerService } from '@gantry/contract/kinds/container-service.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { PAYERS } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { Logger } from 'pino';
import { isRunning, openIntervals, wantsToRun } from '../../core/billing/gate/decide.ts';
import { ratePerHour } from '../../core/billing/prices/rate.ts';
import type { Tariffs } from '../../core/billing/prices/tariffs.ts';
import { actorOf } from '../../core/identity/organizations/actor-of.ts';
import { mailPayers } from '../../core/identity/organizations/mail-payers.ts';
import type { BilledObject } from '../../core/kinds/billed-objects.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { UsedNow } from '../../core/kinds/usage/usage.ts';
import type { AuditEntry } from '../../platform/audit/entry.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { Turn } from '../../platform/db/turn.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { MessageStore } from '../../platform/messages/message-store.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Signal } from './decide-idle.ts';
import { idleRoutes } from './idle-routes.ts';
import { lastUses, policyOf, savingsOf, setPolicy } from './idle-rows.ts';
import { type Candidate, type IdleNotice, IdleWatch } from './idle-watch.ts';
import { NOTICES } from './notices.ts';
import { Visits } from './visits.ts';

/** Percent of a GPU, or of the cores that it may use: what idles at a prompt stays below. */
const BUSY_PERCENT = 5;

export interface OpenIdleParts {
  db: Database;
  clock: Clock;
  log: Logger;
  cluster: Pick<Cluster, 'billed' | 'client' | 'kinds'>;
  tariffs: Pick<Tariffs, 'of'>;
  messages: Pick<MessageStore, 'send' | 'wake'>;
  secrets: Secrets;
  publicUrl: string;
  audit(entry: AuditEntry): Promise<void>;
}

export interface OpenIdle {
  routes: readonly Served[];
  /** Somebody does something with what an instance serves. */
  visited(namespace: string, name: string): void;
  /** Starts once somebody measures what objects use. */
  start(usedNow: (facts: KindFacts, object: BilledObject['object']) => readonly UsedNow[]): void;
  stop(): Promise<void>;
}

const IDLE_KINDS = [gpuInstance, job, containerService, modelDeployment];
/** Requests are what they are for; the gateway notes the last one. */
const asked = ({ kind }: Pick<KindFacts, 'kind'>, spec: { publish?: object | undefined }): boolean =>
  kind === modelDeployment.kind || (kind === containerService.kind && spec.publish !== undefined);

export function openIdle(parts: OpenIdleParts): OpenIdle {
  const { db, clock, log, cluster } = parts;
  const visits = new Visits({ db, clock, log });
  const turn = new Turn({ db, clock, log }, 'idle');
  return {
    routes: idleRoutes({
      policyOf: (id) => policyOf(db, id),
      setPolicy: (id, policy) => setPolicy(db, id, policy),
      savingsOf: (id) => savingsOf(db, id, clock.now()),
    }),
    visited: (namespace, name) => visits.note(namespace, name),
    start(usedNow) {
      visits.start();
      const watch = new IdleWatch({
        db,
        clock,
        log,
        exists: (uid) => IDLE_KINDS.some(({ kind }) => cluster.billed.list(kind).some((one) => one.uid === uid)),
        candidates: async (now) => candidatesOf(parts, await lastUses(db), usedNow, now),
        rest: (one) => rest(parts, one),
        tell: (tx, notice) => tell(parts, tx, notice),
      });
      turn.start((signal) => watch.run(signal));
    },
    async stop() {
      visits.stop();
      await turn.stop();
    },
  };
}

function candidatesOf(
  { cluster, tariffs }: Pick<OpenIdleParts, 'cluster' | 'tariffs'>,
  uses: ReadonlyMap<string, number>,
  usedNow: Parameters<OpenIdle['start']>[0],
  now: number,
): Candidate[] {
  const billed = IDLE_KINDS.flatMap(({ kind }) => cluster.billed.list(kind));
  return billed
    .filter((one) => isRunning(one) && wantsToRun(one))
    .map((one): Candidate => {
      const { facts, object, uid, organizationId, region } = one;
      const { spec, metadata } = object as typeof object & { spec: { idle?: IdlePolicy; displayName?: string } };
      const used = openIntervals(one).flatMap(({ uses }) => uses);
      const tariff = { ...tariffs.of(organizationId), region };
      return {
        ...{ uid, organizationId, kind: facts.kind, name: metadata.name },
        title: spec.displayName ?? metadata.name,
        creator: spec.creator,
        ...(spec.idle && { policy: spec.idle }),
        seen: seenOf(
          usedNow(facts, object),
          used.some(({ resource }) => resource.endsWith('gpu')),
        ),
        usedAt: usedAtOf(one, uses.get(`${metadata.namespace}/${metadata.name}`)),
        perHour: ratePerHour(used as Parameters<typeof ratePerHour>[0], facts.cost.source, tariff, now).net,
        currency: tariff.currency,
      };
    });
}

/** What it computes counts for everything: it is also what takes the place of GPUs where there are none. */
function seenOf(parts: readonly UsedNow[], hasGpu: boolean): Candidate['seen'] {
  const stateOf = (percent: (part: UsedNow) => number | null) => {
    const all = parts.map(percent);
    if (all.some((one) => one !== null && one > BUSY_PERCENT)) return 'busy';
    return all.length === 0 || all.includes(null) ? 'unknown' : 'quiet';
  };
  return { cpu: stateOf(({ cpu }) => cpu), ...(hasGpu && { gpu: stateOf(({ gpu }) => gpu) }) };
}

/** When a person last used it; its start at the earliest. */
function usedAtOf(one: Pick<BilledObject, 'facts' | 'object'>, visitedAt: number | undefined): Signal {
  const starts = openIntervals(one as BilledObject).map(({ from }) => instantOf(from) ?? Number.NaN);
  const { spec, status } = one.object as unknown as ContainerService;
  const requestedAt = asked(one.facts, spec) ? instantOf(status?.traffic?.lastRequestAt) : undefined;
  return Math.max(Math.min(...starts), visitedAt ?? 0, requestedAt ?? 0);
}

const RESTS: Readonly<Record<string, { action: string; what: 'hibernated' | 'stopped' }>> = {
  [gpuInstance.kind]: { action: 'hibernate', what: 'hibernated' },
  [job.kind]: { action: 'stop', what: 'stopped' },
  [containerService.kind]: { action: 'stop', what: 'stopped' },
  [modelDeployment.kind]: { action: 'stop', what: 'stopped' },
};

/** As the creator, if still a member, or as an owner: policies and rights are theirs. */
async function rest(
  { db, cluster, audit, clock }: OpenIdleParts,
  one: Candidate,
): Promise<'hibernated' | 'asleep' | 'stopped'> {
  const facts = IDLE_KINDS.find(({ kind }) => kind === one.kind);
  const namespace = organizationNamespace(one.organizationId);
  const billed = cluster.billed.get({ kind: one.kind, namespace, name: one.name });
  const { action, what } = RESTS[one.kind] ?? {};
  if (!facts || !billed || billed.uid !== one.uid || !action || !what) throw new Error(`${one.kind} is not there`);
  const object = billed.object as unknown as ContainerService;
  const sleeps = [containerService.kind, modelDeployment.kind].includes(one.kind) && object.spec.autoscaling?.min === 0;
  if (sleeps)
    await cluster.client.mergePatch(
      resourceOf(facts),
      {
        ...targetOf(billed.object),
        body: { status: { scaling: { replicas: 0, because: 'Idle', at: rfc3339(clock.now()) } } },
      } as Parameters<typeof cluster.client.mergePatch>[1],
      'status',
    );
  else {
    const account = await actorOf(db.sql, one);
    const writer = { namespace, account, language: 'en', role: 'owner' } as Parameters<typeof cluster.kinds.act>[1];
    await cluster.kinds.act(facts, writer, one.name, { action }, { route: 'idle', key: undefined });
  }
  await audit({
    requestId: `idle/${one.uid}`,
    action: 'idlePolicy',
    decision: 'allowed',
    status: 200,
    caller: undefined,
    organizationId: one.organizationId,
    object: `${one.kind}/${one.name}`,
    reason: sleeps ? 'put to sleep because it was idle' : `${action} because it was idle`,
    ip: '',
    userAgent: undefined,
  });
  return sleeps ? 'asleep' : what;
}

async function tell(
  { messages, secrets, clock, publicUrl }: OpenIdleParts,
  tx: Sql,
  { organizationId, creator, key, what, args, kind, name }: IdleNotice,
): Promise<void> {
  const facts = IDLE_KINDS.find((one) => one.kind === kind);
  const object = facts && { kind: facts.plural, id: name };
  const notice = { key, ...NOTICES[what], args: { ...args }, ...(object && { object }) };
  const audience = { organization: organizationId, roles: PAYERS, ...(creator !== undefined && { also: creator }) };
  const isNews = await messages.send(notice, audience, tx);
  if (isNews) await mailPayers({ secrets, clock, publicUrl }, tx, organizationId, notice, { also: creator, page: '/' });
}
