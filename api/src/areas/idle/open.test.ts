// Idle objects from measurement to rest, on real SQL and an API server in memory, with a stepped clock: who is told what, what is put
// to rest and as whom, what that saves, and what keeps something awake.
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { type ContainerService, containerService, wantedReplicas } from '@gantry/contract/kinds/container-service.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { openLog } from '@gantry/kube/log.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { priceOf } from '../../core/billing/prices/price-of.ts';
import { Tariffs } from '../../core/billing/prices/tariffs.ts';
import { notifyPayers } from '../../core/identity/organizations/notify-payers.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import { kindObject, type MemoryKinds, memoryKinds } from '../../core/kinds/testing/memory-kinds.ts';
import type { UsedNow } from '../../core/kinds/usage/usage.ts';
import type { AuditEntry } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/open.ts';
import { mails } from '../../platform/db/schema/identity.ts';
import { messages, notices } from '../../platform/db/schema/messages.ts';
import { accounts, memberships, organizations } from '../../platform/db/schema/people.ts';
import { MessageStore } from '../../platform/messages/message-store.ts';
import { Secrets } from '../../platform/secrets.ts';
import { savingsOf, setPolicy } from './idle-rows.ts';
import { type OpenIdle, openIdle } from './open.ts';

const STEP_MS = 5_000;
const MINUTE_MS = 60_000;
/** It idles from its start: five minutes until the warning, and fifteen more. */
const POLICY = { does: 'Act', afterMinutes: 5 } as const;

let db: Database;
let kinds: MemoryKinds;
let clock: SteppedClock;
let idle: OpenIdle;
let entries: AuditEntry[];
/** All that wait while nothing happens. */
let timers: number;
/** The measurements of everything that runs. */
let used: readonly UsedNow[];

beforeAll(async () => {
  db = await migratedDatabase();
}, 120_000);
afterAll(() => db.close());
beforeEach(async () => {
  await resetDatabase(db);
  clock = new SteppedClock();
  [entries, used] = [[], [{ cpu: 0, gpu: null }]];
  // On a clock of its own: what waits on the stepped one is the watch alone.
  kinds = await memoryKinds();
  await people();
  const tariffs = new Tariffs({ db, clock, region: 'us-east', currency: 'USD', noticeMs: 0 });
  for (const sku of ['cpu', 'memory']) await tariffs.setPrice({ sku, amount: parseMoney('0.50') }, 'test');
  const platform: Parameters<typeof openIdle>[0] = {
    db,
    clock,
    log: openLog('silent'),
    audit: async (entry) => void entries.push(entry),
  };
  idle = openIdle(platform, {
    cluster: { billed: kinds.billed, client: kinds.cluster, kinds: kinds.store } as unknown as Cluster,
    billing: { priceOf: (one) => priceOf(tariffs, one, clock.now()) },
    notify: notifyPayers({
      messages: new MessageStore({ db, clock }),
      secrets: new Secrets(Buffer.alloc(32, 7)),
      clock,
      publicUrl: 'https://gantry.example',
    }),
  });
  idle.start(() => used);
  await eventually('the first look is over', () => clock.waitingMs.includes(MINUTE_MS));
  timers = clock.waitingMs.length;
});
afterEach(async () => {
  await idle.stop();
  kinds.stop();
});

async function people(): Promise<void> {
  const createdAt = new Date(clock.now());
  const organization = { id: 'acme', name: 'Acme', currency: 'USD', createdAt, revision: 1, projected: 1 };
  await db.sql.insert(organizations).values(organization);
  const roles = { olga: 'owner', ann: 'member', tom: 'member' } as const;
  for (const [name, role] of Object.entries(roles)) {
    await db.sql.insert(accounts).values({ id: name, name, email: `${name}@example.com`, createdAt });
    await db.sql.insert(memberships).values({ organizationId: 'acme', accountId: name, role, createdAt });
  }
}

/** Two cores since now, for 1.00 an hour. */
const running = () => ({
  phase: 'active',
  intervals: [{ seq: 1, subjectUID: 'pods', from: rfc3339(clock.now()), uses: [{ resource: 'cpu', quantity: 2 }] }],
});
const chat = (spec: object = {}, status: object = {}) =>
  kindObject(containerService, 'chat', {
    spec: { displayName: 'Chat', creator: 'ann', autoscaling: { min: 0, max: 3 }, ...spec },
    status: { ...running(), ...status },
  });
const seen = () => kinds.cache.get(containerService, 'org-acme', 'chat') as unknown as ContainerService;

/** The watch keeps up with the clock: a look of SQL and writes takes real time. */
async function pass(minutes: number): Promise<void> {
  for (let ms = 0; ms < minutes * MINUTE_MS; ms += STEP_MS) {
    await clock.step(STEP_MS);
    await eventually('it waits again', () => clock.waitingMs.length >= timers);
  }
}
const told = async () =>
  (await db.sql.select({ title: notices.title }).from(notices).orderBy(notices.createdAt)).map(({ title }) => title.en);

test('a service that nobody uses is warned about, put to sleep fifteen minutes later, and what that saves is counted', async () => {
  await setPolicy(db, 'acme', POLICY);
  kinds.cluster.put(chat());
  await pass(6);
  expect(await told()).toEqual(['Chat is idle and will be stopped']);
  expect(wantedReplicas(seen())).toBe(1);
  // In the bell and by mail of those who pay, and of whoever made it.
  expect(new Set((await db.sql.select({ to: messages.accountId }).from(messages)).map(({ to }) => to))).toEqual(
    new Set(['olga', 'ann']),
  );
  expect(await db.sql.select().from(mails)).toHaveLength(2);

  await pass(16);
  expect(seen().status?.scaling).toMatchObject({ replicas: 0, because: 'Idle' });
  // The number that the operator goes by.
  expect(wantedReplicas(seen())).toBe(0);
  expect(await told()).toEqual(['Chat is idle and will be stopped', 'Chat was put to sleep']);
  expect(entries).toMatchObject([{ action: 'idlePolicy', object: 'ContainerService/chat', decision: 'allowed' }]);

  // Its replicas are gone; an hour later a request has woken it.
  const to = rfc3339(clock.now());
  const stopped = running().intervals.map((one) => ({ ...one, to }));
  kinds.cluster.put({ ...seen(), status: { ...seen().status, phase: 'sleeping', intervals: stopped } } as never);
  await pass(60);
  const { saved, objects } = await savingsOf(db, 'acme', clock.now());
  expect(Number(saved[0]?.amount)).toBeGreaterThanOrEqual(1);
  expect(objects).toMatchObject([{ name: 'chat', end_time: null }]);
  const woken = { ...running(), scaling: { replicas: 1, because: 'Request', at: to } };
  kinds.cluster.put({ ...seen(), status: { ...seen().status, ...woken } } as never);
  await pass(2);
  expect((await savingsOf(db, 'acme', clock.now())).objects[0]?.end_time).not.toBeNull();
  expect(await told()).toHaveLength(2);
}, 120_000);

/** Signals that keep a service awake under the same policy, and others that do not. */
const AWAKE: Readonly<Record<string, { before: () => void; spec?: object; told: number }>> = {
  'a measurement that is missing': { before: () => (used = [{ cpu: null, gpu: null }]), told: 0 },
  'no measurement at all': { before: () => (used = []), told: 0 },
  'what it computes': { before: () => (used = [{ cpu: 40, gpu: null }]), told: 0 },
  'its own policy': { before: () => {}, spec: { idle: { does: 'Nothing', afterMinutes: 5 } }, told: 0 },
  'an own policy that only warns': { before: () => {}, spec: { idle: { does: 'Warn', afterMinutes: 5 } }, told: 1 },
};

test.each(Object.entries(AWAKE))(
  'a service is kept awake by %s',
  async (_, { before, spec, told: count }) => {
    await setPolicy(db, 'acme', POLICY);
    before();
    kinds.cluster.put(chat(spec));
    await pass(22);
    expect(await told()).toHaveLength(count);
    expect(wantedReplicas(seen())).toBe(1);
  },
  60_000,
);

test('a request, and a visit to it, begin the count anew', async () => {
  await setPolicy(db, 'acme', POLICY);
  kinds.cluster.put(chat({ publish: { port: 8080, access: 'Public' } }));
  await pass(4);
  const traffic = { lastRequestAt: rfc3339(clock.now()) };
  kinds.cluster.put({ ...seen(), status: { ...seen().status, traffic } } as never);
  await pass(4);
  expect(await told()).toEqual([]);
  idle.visited('org-acme', 'chat');
  await pass(4);
  expect(await told()).toEqual([]);
  await pass(3);
  expect(await told()).toHaveLength(1);
}, 60_000);

test('an idle job is stopped as whoever made it, and as an owner once that person has left', async () => {
  await setPolicy(db, 'acme', POLICY);
  for (const creator of ['ann', 'gone'])
    kinds.cluster.put(
      kindObject(job, `of-${creator}`, { spec: { creator }, status: { ...running(), phase: 'running' } }),
    );
  await pass(22);
  for (const name of ['of-ann', 'of-gone'])
    expect(kinds.cache.get(job, 'org-acme', name)).toMatchObject({ spec: { power: 'Stopped' } });
  expect(new Set(kinds.users.filter((user) => user.includes('org-acme')))).toEqual(
    new Set(['system:serviceaccount:org-acme:ann', 'system:serviceaccount:org-acme:olga']),
  );
}, 60_000);
