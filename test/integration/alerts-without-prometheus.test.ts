// Fault 23: Prometheus is killed, hangs, comes back without its data, or answers in part. Alarms hold their state and say so, and
// whoever does not ask it is evaluated as ever. The servers are real, and so is the way to them; only the clock is stepped.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AlertPolicy, AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AlarmStore } from '../../api/src/areas/alerts/alarm-store.ts';
import { Evaluator } from '../../api/src/areas/alerts/evaluator.ts';
import { type Facts, nextStatus } from '../../api/src/areas/alerts/policy-status.ts';
import type { Database } from '../../api/src/platform/db/open.ts';
import { alarmFlow, alarms } from '../../api/src/platform/db/schema/alerts.ts';
import { Prometheus } from '../../api/src/platform/prometheus/prometheus.ts';
import { migratedDatabase } from '../support/database.ts';
import { type PrometheusServer, startPrometheusServer } from '../support/prometheus-server.ts';

const START = Date.UTC(2026, 10, 10);
const PERIOD_MS = 15_000;
const MINUTES = 60;
/** From then on the card is cool. */
const COOL_FROM = START + 40 * 60_000;
const DEADLINE_MS = 400;
const signal = new AbortController().signal;

const policy = (organization: string, over: Partial<AlertPolicySpec>): AlertPolicy => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'AlertPolicy',
  metadata: { name: 'watched', namespace: `org-${organization}`, uid: `uid-${organization}` },
  spec: {
    state: 'Enabled',
    objects: { kind: 'GpuInstance' },
    metric: 'GpuTemperature',
    aggregation: 'Last',
    periodSeconds: PERIOD_MS / 1000,
    rules: [{ type: 'Threshold', compare: 'Above', value: 85, level: 'Critical' }],
    begins: { met: 1, of: 1 },
    endsAfter: 1,
    convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: 20 },
    channels: [{ type: 'Bell', afterMinutes: 0 }],
    ...over,
  },
});
const HOT = policy('acme', {});
/** A policy on values that the platform itself knows. */
const FAILED = policy('other', { metric: 'Failed', rules: [{ ...HOT.spec.rules[0], value: 0 }] as never });

/** OpenMetrics: a card of the Pod `dev-1`, at each period. */
const SAMPLES = [
  '# TYPE DCGM_FI_DEV_GPU_TEMP gauge',
  ...Array.from({ length: (MINUTES * 60_000) / PERIOD_MS }, (_, at) => START + at * PERIOD_MS).map(
    (at) => `DCGM_FI_DEV_GPU_TEMP{namespace="org-acme",pod="dev-1"} ${at < COOL_FROM ? 90 : 50} ${at / 1000}`,
  ),
  '# EOF',
  '',
].join('\n');

const clock = new SteppedClock();
const reported = new Map<string, Facts>();
/** Ends of periods at which the other tenant's policy was evaluated. */
let others: number[] = [];
let server: PrometheusServer;
/** Between us and the server, as a load balancer is: one of its stores may be away. */
let door: Server;
let isPartial = false;
let isFailed = false;
let db: Database;
let evaluator: Evaluator;

beforeAll(async () => {
  clock.set(START + PERIOD_MS);
  server = await startPrometheusServer({ samples: SAMPLES });
  door = createServer(async (req, res) => {
    const body = await text(req);
    const answer = await fetch(`${server.url}${req.url}`, {
      ...{ method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined);
    if (!answer) return void res.destroy();
    const whole = (await answer.json()) as { data: { result: object[] } };
    const part = { ...whole, data: { ...whole.data, result: [] }, warnings: ['a store is away'] };
    res.writeHead(answer.status, { 'content-type': 'application/json' });
    res.end(JSON.stringify(isPartial ? part : whole));
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  db = await migratedDatabase();
  const prometheus = new Prometheus({ url: `http://127.0.0.1:${(door.address() as AddressInfo).port}` });
  const policies = [HOT, FAILED].map((one) => ({
    organizationId: one.metadata.namespace?.slice('org-'.length) ?? '',
    policy: one,
  }));
  evaluator = new Evaluator({
    store: new AlarmStore(db),
    clock,
    log: { warn: () => undefined },
    policies: () => policies,
    exists: () => true,
    ask: (query, at, until) => prometheus.instant(query, at, { deadlineMs: DEADLINE_MS, signal: until }),
    scope: (query) => ({ query }),
    objectOf: ({ pod = '' }) => ({ kind: 'GpuInstance', name: pod.replace(/-\d+$/, '') }),
    platform: async () => [
      {
        labels: { namespace: 'org-other' },
        object: { kind: 'GpuInstance', name: 'broken' },
        value: isFailed ? 1 : 0,
      },
    ],
    lifeOf: () => 'running',
    due: () => [],
    evaluated({ metadata: { uid = '' } }, verdict, firing, evaluatedAt) {
      reported.set(uid, { verdict, firing, evaluatedAt, missing: [], delivery: new Map() });
      if (uid === FAILED.metadata.uid) others.push(evaluatedAt);
    },
  });
  await evaluator.open();
}, 120_000);
afterAll(async () => {
  await server.end();
  door.closeAllConnections();
  door.close();
  await db.close();
});

/** So many periods. The other tenant's policy was evaluated at the end of each, and all of it is noted as done. */
async function periods(count: number): Promise<void> {
  others = [];
  const began = clock.now();
  for (let period = 0; period < count; period++) {
    clock.set(clock.now() + PERIOD_MS);
    await evaluator.look(signal);
    await evaluator.settle();
  }
  // A cycle is noted by the look after it.
  await evaluator.look(signal);
  expect(others).toEqual(Array.from({ length: count }, (_, at) => began + (at + 1) * PERIOD_MS));
  expect([...(await new AlarmStore(db).cycles())]).toEqual([[PERIOD_MS / 1000, clock.now()]]);
}
const hot = async () => (await db.sql.select().from(alarms)).find(({ policyUid }) => policyUid === HOT.metadata.uid);
/** The policy's status, as people read it. */
const said = () => {
  const facts = reported.get(HOT.metadata.uid ?? '');
  const { phase, conditions } = (facts && nextStatus(HOT, facts, clock.now())) ?? {};
  return [phase, conditions?.map(({ status, reason }) => `${status} ${reason}`).join()];
};
const holds = async (state: string) => {
  expect(said()).toEqual(['alerting', state]);
  expect(await hot()).toMatchObject({ status: 'firing', endedAt: null });
};

describe('an alarm that fires', () => {
  test('is one while Prometheus answers', async () => {
    await periods(2);
    await holds('True Evaluated');
  }, 60_000);

  test('stays one for ten minutes after Prometheus was killed, while another tenant’s begins', async () => {
    process.kill(server.pid, 'SIGKILL');
    await periods(20);
    isFailed = true;
    await periods(20);
    await holds('Unknown PrometheusAway');
    expect((await db.sql.select().from(alarms)).map(({ object, status }) => `${object} ${status}`).sort()).toEqual([
      'broken firing',
      'dev firing',
    ]);
  }, 120_000);

  test('stays one for ten minutes beside a Prometheus that has lost its data', async () => {
    await server.end();
    server = await startPrometheusServer();
    await periods(40);
    await holds('True NoData');
  }, 120_000);

  test('stays one while Prometheus hangs, and delays nobody beyond the deadline', async () => {
    await server.end();
    server = await startPrometheusServer({ samples: SAMPLES });
    process.kill(server.pid, 'SIGSTOP');
    await periods(4);
    await holds('Unknown PrometheusAway');
    process.kill(server.pid, 'SIGCONT');
    await periods(1);
    await holds('True Evaluated');
  }, 120_000);

  test('stays one where the answer is one in part, and says so', async () => {
    isPartial = true;
    await periods(40);
    await holds('Unknown Incomplete');
    isPartial = false;
  }, 120_000);

  test('ends once its card is seen to be cool, and fired once', async () => {
    clock.set(Math.max(clock.now(), COOL_FROM));
    await evaluator.look(signal);
    await periods(2);
    expect([said()[0], (await hot())?.status]).toEqual(['enabled', 'resolved']);
    const flow = await db.sql.select().from(alarmFlow);
    const { id = '' } = (await hot()) ?? {};
    expect(flow.filter(({ alarmId }) => alarmId === id).map(({ what }) => what)).toEqual(['fired', 'resolved']);
  }, 60_000);
});
