// The hourly prices in the overview of an organisation, and the data that its topology reads.

import type { TopologyView } from '@gantry/contract/areas/monitoring/monitor.ts';
import { MONITOR_ROUTES } from '@gantry/contract/areas/monitoring/monitor.ts';
import type { Use } from '@gantry/contract/billing/resources.ts';
import { moneyText } from '@gantry/contract/fields/money.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { priceOf } from '../../core/billing/prices/price-of.ts';
import { START, tariff } from '../../core/billing/prices/testing/fixtures.ts';
import type { BilledObject } from '../../core/kinds/billed-objects.ts';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import type { Core } from '../../core/open.ts';
import type { Database } from '../../platform/db/open.ts';
import { modelAliases } from '../../platform/db/schema/tokens.ts';
import { Metrics } from '../../platform/http/metrics.ts';
import type { Call } from '../../platform/http/serve.ts';
import { Meter } from '../../platform/relay/meter.ts';
import { TrafficStore } from '../../platform/relay/traffic-store.ts';
import { hourlyPriceShown } from './hourly-price-shown.ts';
import { openMonitor } from './open.ts';

const PRICES = tariff([
  ['gpu/H100', '2.00'],
  ['host/H100', '900.00'],
]);
const using = (facts: typeof gpuHost | typeof gpuInstance, ...uses: Use[]) =>
  ({
    facts,
    object: kindObject(facts, 'one', {
      status: { intervals: [{ seq: 1, subjectUID: 'u', from: '2026-01-01T00:00:00Z', uses }] },
    }),
  }) as unknown as BilledObject;
const H100: Use = { resource: 'gpu', model: 'H100', quantity: 2 };

test.each([
  ['an instance costs what its cards do', using(gpuInstance, H100), '4.00'],
  [
    'a rented host, which is paid ahead, has no price by the hour',
    using(gpuHost, { ...H100, resource: 'host' }),
    undefined,
  ],
  [
    'what has something without a price has none',
    using(gpuInstance, H100, { resource: 'cpu', quantity: 1 }),
    undefined,
  ],
  ['what rests costs nothing that is worth a row', using(gpuInstance), undefined],
])('%s', (_, one, expected) => {
  const cost = hourlyPriceShown(priceOf({ of: () => PRICES }, one, START));
  expect(cost === undefined ? undefined : moneyText(cost)).toBe(expected);
});

let db: Database;
beforeAll(async () => {
  db = await migratedDatabase();
  await resetDatabase(db);
});
afterAll(() => db.close());

test('the topology of a thousand services takes two reads, and has nothing of another organisation', async () => {
  const clock = new SteppedClock();
  // Both have objects, Pods and an alias of the same names.
  const owned = ['acme', 'other'].flatMap((organization) => {
    const made = (facts: typeof containerService | typeof modelDeployment, name: string, spec: object) =>
      kindObject(facts, name, {
        ...{ namespace: `org-${organization}`, metadata: { uid: `uid-${organization}-${name}` } },
        ...{ spec: { displayName: `${name} of ${organization}`, ...spec } },
        status: { phase: 'running', pods: [{ name: `${name}-0`, uid: 'u', phase: 'ready' }] },
      });
    return [
      ...Array.from({ length: 1000 }, (_, at) => made(containerService, `web-${at}`, { publish: { port: 8080 } })),
      made(modelDeployment, 'llm', {}),
    ];
  });
  const passed = (requests: number, replica: string, via?: string) => {
    const meter = new Meter();
    const about = { method: 'GET', url: '/', status: 200, ms: 1, bytes: 1, bytesIn: 1, isCheck: false };
    for (let more = 0; more < requests; more++)
      meter.record({ ...about, at: clock.now(), replica, ...(via !== undefined && { via }) });
    return meter;
  };
  await new TrafficStore({ db, clock }).post([
    { uid: 'uid-acme-llm', meter: passed(3, 'llm-0', 'chat') },
    { uid: 'uid-acme-web-7', meter: passed(5, 'web-7-0') },
    { uid: 'uid-other-llm', meter: passed(70, 'llm-0', 'chat') },
    { uid: 'uid-other-web-7', meter: passed(90, 'web-7-0') },
  ]);
  const target = { targets: [{ deployment: 'llm', weight: 1 }], creatorId: 'acc', createdAt: new Date(0) };
  await db.sql.insert(modelAliases).values([
    { ...target, id: 'als-1', organizationId: 'acme', name: 'chat', updatedAt: new Date(0) },
    { ...target, id: 'als-2', organizationId: 'other', name: 'chat', updatedAt: new Date(0) },
    { ...target, id: 'als-3', organizationId: 'other', name: 'theirs', updatedAt: new Date(0) },
  ]);
  const reads: PropertyKey[] = [];
  const counting = new Proxy(db.sql, {
    get(of, name, receiver) {
      const value = Reflect.get(of, name, receiver);
      if (typeof value === 'function' && name !== 'constructor') reads.push(name);
      return value;
    },
  });
  const cache = { list: ({ kind }: { kind: string }) => owned.filter((object) => object.kind === kind) };
  const platform = { db: { ...db, sql: counting }, metrics: new Metrics(), clock, prometheus: undefined };
  const routes = openMonitor(platform, { cluster: { cache } } as unknown as Core);
  const found = routes.find(({ route }) => route === MONITOR_ROUTES.topology);
  if (!found) throw new Error('the topology is not served');
  const caller = { organization: { id: 'acme', namespace: 'org-acme' } };
  const { nodes, edges } = (await found.handler({ caller } as Call)) as TopologyView;
  expect(reads).toEqual(['select', 'select']);
  // Clients, services with a replica each, a model with one, and an alias.
  expect(nodes).toHaveLength(1 + 2 * 1000 + 2 + 1);
  expect(JSON.stringify(nodes)).not.toMatch(/other|theirs/);
  const busy = edges.filter(({ flow }) => flow && flow.requests > 0);
  expect(busy.map(({ from, to, flow }) => `${from} ${to} ${flow?.requests}`)).toEqual([
    ...['clients alias/chat 3', 'clients service/web-7 5', 'service/web-7 replica/service/web-7/web-7-0 5'],
    ...['alias/chat deployment/llm 3', 'deployment/llm replica/deployment/llm/llm-0 3'],
  ]);
}, 60_000);
