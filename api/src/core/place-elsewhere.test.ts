// Billing over our own cluster and another in which instances are placed, which may be out of reach when billing begins.
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import { expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { forEachDatabase } from '../../../test/support/database.ts';
import { rowsOf } from '../platform/db/rows-of.ts';
import { WatchCache } from '../platform/kube/watch-cache.ts';
import { Stage } from './billing/gate/testing/stage.ts';
import { Meter } from './billing/metering/meter.ts';
import { MeterController } from './billing/metering/meter-controller.ts';
import { BilledObjects } from './kinds/billed-objects.ts';
import { homeOf } from './kinds/placed.ts';
import { kindObject, memoryKinds } from './kinds/testing/memory-kinds.ts';

const MINUTE = 60_000;
const log = pino({ enabled: false });
const REGION = 'eu-west';
const USE = { seq: 1, uses: [{ resource: 'cpu' as const, quantity: 2 }] };

const acme = () => {
  const { metadata, ...rest } = kindObject(organization, 'acme');
  const { namespace: _, ...named } = metadata;
  return { ...rest, metadata: { ...named, annotations: { [ANNOTATION.home]: 'us-east' } } };
};
const running = () =>
  kindObject(gpuInstance, 'ins-far', {
    spec: { creator: 'ann' },
    status: { phase: 'running', intervals: [{ ...USE, subjectUID: 'pod-1', from: '2026-01-01T00:00:00Z' }] },
    metadata: { uid: 'far', generation: 1 },
  });

forEachDatabase((database) => {
  test('a region that is first seen when billing has begun is billed on, and its credit is extended', async () => {
    const stage = await new Stage(database()).open();
    const { clock, kinds, wallets, tariffs } = stage;
    await stage.fund('100');
    await stage.halt();
    const there = await memoryKinds([acme(), running()], clock);
    const cache = new WatchCache({ client: there.cluster, clock, log });
    const billed = new BilledObjects({ cache, client: there.cluster, clock, region: { id: REGION } });
    billed.limitTo((id) => homeOf(cache, id) === 'us-east');
    kinds.billed.billAlso([billed]);
    const meter = new Meter({ db: database(), clock, log, wallets, tariffs });
    // By the gateway before this one.
    const seen = { uid: 'far', organizationId: 'acme', region: REGION, kind: gpuInstance.kind, name: 'ins-far' };
    await meter.record([{ ...USE, ...seen, subjectUid: 'pod-1', from: clock.now() }]);
    await meter.sign(REGION, clock.now());

    await stage.start();
    const metering = new MeterController({ objects: kinds.billed, meter, clock, log });
    const unfollow = metering.follow();
    const pass = async (minutes: number) => {
      clock.set(clock.now() + minutes * MINUTE);
      await tariffs.refresh();
      await metering.step();
    };
    await pass(20);
    const stop = new AbortController();
    await cache.start(stop.signal);
    for (const minutes of [1, 1, 1, 38]) await pass(minutes);
    await stage.quiet();
    expect(await rowsOf(database().sql, sql`select reason from meter_anomalies`)).toEqual([]);
    expect(await meter.openUids(REGION)).toEqual(['far']);
    expect(Number((await meter.posted(['far'])).get('far')?.net)).toBe(2_000_000);
    const { status } = there.cluster.find(gpuInstance.kind, 'ins-far') ?? {};
    expect(status).toMatchObject({
      conditions: [{ type: 'CreditReserved', status: 'True' }],
      credit: { until: expect.any(String) },
    });
    const far = { uid: 'far', organizationId: 'acme' };
    const isAbandoned = (region: string, uid = 'far') => kinds.billed.isAbandoned({ ...far, uid, region });
    // By its name now, by one that it had before, and by one that there is no longer.
    expect([isAbandoned(REGION), isAbandoned('renamed'), isAbandoned('removed', 'gone')]).toEqual([false, false, true]);
    unfollow();
    stop.abort();
    there.stop();
    await stage.end();
  });
});
