// Two gateways on PostgreSQL, and a registry whose images lie in a bucket, installed by the chart: either gateway answers, one may die,
// the database may restart, and a version may be replaced by the next and come back, while people work.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PAYMENT_ROUTES } from '@gantry/contract/areas/billing/payments.ts';
import { WALLET_ROUTES } from '@gantry/contract/areas/billing/wallet.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { MESSAGE_ROUTES } from '@gantry/contract/areas/messages/messages.ts';
import { parseMoney, sumOf } from '@gantry/contract/fields/money.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { organizationNamespace, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import {
  addressOf,
  CHART,
  chartValues,
  fillRegistry,
  firstPassword,
  helm,
  installChart,
} from '../../hack/helm/install-chart.ts';
import { paymentsOfPods } from '../../hack/helm/stand-ins.ts';
import type { Layout } from '../../hack/layout.ts';
import { payWithCard } from '../support/card-double.ts';
import { eventually } from '../support/eventually.ts';
import { HttpClient } from '../support/http-client.ts';
import type { Kubectl } from '../support/kubectl.ts';
import { type Interval, listPricesOf } from '../support/list-price.ts';
import { LiveStream } from '../support/live.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { Person } from '../support/sign-up.ts';
import { isSoak, isTurn } from '../support/soak.ts';
import { pushEarlierVersion } from './earlier-version.ts';
import { chartOf, NEXT_FIELD, pushNextVersion } from './next-version.ts';
import { RealNode } from './real-node.ts';
import { SMALL } from './stage.ts';
import { callSteadily } from './steady-calls.ts';

const PATIENCE_MS = 120_000;
const PREPARED_WITHIN_MS = 600_000;
const NAMESPACED = ['-n', PLATFORM_NAMESPACE] as const;
const CONSOLE = 8080;
const ADMIN_CONSOLE = 8084;
const TENANTS = 8082;
/** A page, by a program that ends when it is told to. */
const PAGE = {
  displayName: 'page',
  ...{ image: SMALL.image ?? '', cores: 0.1, memoryGi: 0.0625 },
  command: [
    'sh',
    '-c',
    "mkdir /tmp/www && echo hello > /tmp/www/index.html && httpd -p 8080 -h /tmp/www && trap 'exit 0' TERM; while :; do sleep 1 & wait; done",
  ],
  ports: [{ name: 'web', port: 8080 }],
  publish: { port: 8080, access: 'Public' },
} as const;
const NEW_PASSWORD = 'Correct-horse-8';
const NEXT = '1.999.0';
const BROKEN = '1.999.1';

export interface Installing {
  readonly cluster: Layout;
  readonly kubectl: Kubectl;
  /** Takes away whatever platform there is. */
  removePlatform(): Promise<void>;
}

interface Seen {
  readonly metadata: { readonly name: string; readonly uid: string; readonly deletionTimestamp?: string };
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount: number }[];
  };
}

/** They take six minutes: one day of seven has them. */
const DAYS = 7;

export function twoGateways(installing: () => Installing): void {
  if (isSoak || isTurn(3, DAYS)) describe('two gateways on PostgreSQL', () => stories(installing));
}

function stories(installing: () => Installing): void {
  let cluster: Layout;
  let kubectl: Kubectl;
  let postgres: PostgresServer;
  let store: ObjectStore;
  let sql: pg.Client;
  let databaseUrl: string;
  let values: Awaited<ReturnType<typeof chartValues>>;
  /** The chart of the version that the story begins with. */
  let chart: string;
  let service: string;
  let staff: Person;
  let org: string;
  let id: string;
  /** The host of a tenant's page. */
  let servedAt: string;

  beforeAll(async () => {
    ({ cluster, kubectl } = installing());
    await installing().removePlatform();
    store = await startObjectStore({ address: cluster.bridge.ip });
    postgres = await startPostgres({ address: cluster.bridge.ip });
    databaseUrl = await postgres.createDatabase('gantry');
    const own = await chartValues(cluster);
    values = {
      ...own,
      database: { existingSecret: 'gantry-postgres' },
      registry: { s3: { bucket: store.bucket, endpoint: store.endpoint, existingSecret: 'registry-s3' } },
      gateway: {
        ...(own.gateway as object),
        replicas: 2,
        // One address calls as many.
        options: { ...(own.gateway as { options: object }).options, 'requests-per-minute': '1000000' },
      },
    };
    await kubectl.must(['create', 'namespace', PLATFORM_NAMESPACE]);
    const { accessKeyId: accessKey, secretAccessKey: secretKey } = store.credentials;
    for (const [name, content] of Object.entries({
      'gantry-postgres': { url: databaseUrl },
      'registry-s3': { accessKey, secretKey },
    })) {
      const literals = Object.entries(content).map(([key, value]) => `--from-literal=${key}=${value}`);
      await kubectl.must(['create', 'secret', 'generic', name, ...NAMESPACED, ...literals]);
    }
    const earlier = await pushEarlierVersion(cluster);
    if (earlier) values = withDigests(earlier.digests);
    chart = earlier?.chart ?? CHART;
    await installChart(cluster, { values, chart });
    await fillRegistry(cluster);
    await connect();
    service = await addressOf(cluster, 'gantry-gateway');
  }, PREPARED_WITHIN_MS);
  afterAll(async () => {
    await sql?.end().catch(() => undefined);
    await postgres?.end();
    await store?.end();
  });

  async function connect(): Promise<void> {
    sql = new pg.Client({ connectionString: databaseUrl });
    sql.on('error', () => undefined);
    await sql.connect();
  }

  const pods = async (): Promise<Seen[]> => {
    const list = await kubectl.get<{ items: readonly Seen[] }>(
      ...['pods', ...NAMESPACED, '-l', 'app.kubernetes.io/name=gantry-gateway'],
    );
    return (list?.items ?? []).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  };
  const isReady = ({ status }: Seen) => status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True');
  const bothReady = () =>
    eventually(
      'both gateways are ready',
      async () => {
        const ready = (await pods()).filter(isReady);
        return ready.length === 2 ? ready : undefined;
      },
      PATIENCE_MS,
    );
  const at = (host: string, port = CONSOLE) => new HttpClient(() => `http://${host}:${port}`, staff?.client.token);
  const throughService = () => at(service);
  const versions = async () => {
    const both = await bothReady();
    const read = async ({ status }: Seen) => (await at(status.podIP ?? '').fetch('/version.json')).json();
    return ((await Promise.all(both.map(read))) as { version: string }[]).map(({ version }) => version);
  };
  const wallet = () => throughService().must(WALLET_ROUTES.balances);
  const act = (action: 'resume' | 'stop' | 'shutdown' | 'start') =>
    eventually(
      `${action} is taken`,
      () => throughService().must(KIND_ROUTES.gpuInstance.act, { params: { id }, body: { action } }),
      PATIENCE_MS,
    );
  const instance = () => kubectl.get<GpuInstance>('gpuinstance', id, '-n', organizationNamespace(org));
  const reaches = (phase: string) =>
    eventually(`the instance is ${phase}`, async () => (await instance())?.status?.phase === phase, PATIENCE_MS);
  /** Each with how often its containers were started again. */
  const tenantsPods = async () => {
    const list = await kubectl.get<{ items: readonly (Pod & Seen)[] }>(
      ...['pods', '-n', organizationNamespace(org), '-l', 'gantry.dev/kind in (GpuInstance,ContainerService)'],
    );
    const found = (list?.items ?? []).map(({ metadata, status }) => [
      metadata.uid,
      status.containerStatuses?.map(({ restartCount }) => restartCount),
    ]);
    expect(found).toHaveLength(2);
    return found;
  };
  const provesBooks = async () => {
    const args = ['exec', ...NAMESPACED, 'deployment/gantry-gateway', '--', 'gantry', 'books', 'verify'];
    const { code, stdout, stderr } = await kubectl.run(args);
    expect({ code, said: `${stdout}${stderr}` }).toMatchObject({ code: 0, said: expect.stringContaining(' 0 faults') });
  };

  test('either serves both consoles and the API, and a session of one counts on the other', async () => {
    const both = await bothReady();
    // The places that an earlier version chooses cannot be mended.
    if (chart === CHART) expect(new Set(both.map(({ spec }) => spec.nodeName)).size).toBe(2);
    const [one, other] = both.map(({ status }) => status.podIP ?? '') as [string, string];
    for (const host of [one, other])
      for (const port of [CONSOLE, ADMIN_CONSOLE])
        expect(await (await at(host, port).fetch('/')).text()).toContain('<div id="root">');

    const password = (await firstPassword(cluster)) ?? '';
    const { ticket = '' } = await at(one).must(ACCOUNT_ROUTES.login, { body: { account: 'admin', password } });
    await at(other).must(ACCOUNT_ROUTES.resetPassword, { body: { ticket, password: NEW_PASSWORD } });
    staff = new Person({ name: 'admin', email: '', password: NEW_PASSWORD, accountId: '' }, at(one));
    await staff.login();
    org = (await at(other).must(ACCOUNT_ROUTES.getMe)).org_id;
    await staff.organizationReady();
  });

  test('what is sent twice at once, to both, is done once', async () => {
    const hosts = (await bothReady()).map(({ status }) => status.podIP ?? '');
    const headers = { 'idempotency-key': 'a-payment-of-the-story' };
    const body = { amount: '20', payment_channel: 'card' } as const;
    const before = parseMoney((await wallet()).available);
    const send = (host: string) => at(host).call(PAYMENT_ROUTES.recharge, { body, headers });
    const answers = await Promise.all([...hosts, ...hosts].map(send));
    const payments = answers.map(({ status, body: answer }) => (status === 201 ? answer.result.id : `${status}`));
    expect(new Set(payments).size).toBe(1);
    await payWithCard(throughService(), paymentsOfPods(cluster), payments[0] ?? '');
    expect(parseMoney((await wallet()).available) - before).toBe(parseMoney('20'));
  });

  test('a stream goes on after the death of either', async () => {
    const [first, second] = await bothReady();
    const live = await LiveStream.open(throughService(), gpuInstance.plural);
    const kill = (pod: Seen | undefined) =>
      kubectl.must(['delete', 'pod', pod?.metadata.name ?? '', ...NAMESPACED, '--grace-period=0', '--force']);
    /** By an event, or by reading anew when it is told to. */
    const learns = (phase: string, { from, resets }: { from: number; resets: number }) =>
      eventually(
        `the reader learns that it is ${phase}`,
        async () => {
          if (live.phasesOf(id).slice(from).includes(phase)) return true;
          if (live.resets.length === resets) return false;
          const now = await throughService().must(KIND_ROUTES.gpuInstance.read, { params: { id } });
          return now.phase === phase;
        },
        PATIENCE_MS,
      );
    const soFar = () => ({ from: live.phasesOf(id).length, resets: live.resets.length });
    try {
      const { image = '', cores = 0, memoryGi = 0, homeDisk } = SMALL;
      const body = { displayName: 'dev', image, cores, memoryGi, ...(homeDisk && { homeDisk }) };
      ({ id } = await eventually(
        'the instance is made',
        () => throughService().must(KIND_ROUTES.gpuInstance.create, { body }),
        PATIENCE_MS,
      ));
      await live.tells(id, 'running', { limitMs: PATIENCE_MS });
      let before = soFar();
      await kill(first);
      await act('stop');
      await learns('stopped', before);
      await bothReady();
      before = soFar();
      await kill(second);
      await act('resume');
      await learns('running', before);
      expect(live.resets).toContain(gpuInstance.plural);
    } finally {
      live.close();
    }
  });

  test('its run is billed once, by the price list to the second, and the books hold', async () => {
    await act('stop');
    await reaches('stopped');
    // Its root file system lies in the bucket.
    const repositories = join(store.folder, 'docker/registry/v2/repositories');
    expect(await readdir(join(repositories, organizationNamespace(org)))).not.toEqual([]);
    const closed = await eventually(
      'all that has ended is posted',
      async () => {
        const { intervals = [], credit } = ((await instance())?.status ?? {}) as {
          intervals?: Interval[];
          credit?: { postedSeq?: number };
        };
        const ended = intervals.filter(({ to }) => to !== undefined);
        const isPosted = ended.length > 0 && (credit?.postedSeq ?? 0) >= (ended.at(-1)?.seq ?? 0);
        return isPosted ? ended : undefined;
      },
      PATIENCE_MS,
    );
    const uid = (await instance())?.metadata.uid;
    for (const interval of closed) {
      const costs = sumOf((await listPricesOf(throughService(), interval)).values());
      const { rows } = await sql.query<{ net: string }>(
        'select sum(net)::text as net from slices where uid = $1 and seq = $2',
        [uid, interval.seq],
      );
      expect([interval.seq, BigInt(rows[0]?.net ?? 0)]).toEqual([interval.seq, costs]);
    }
    await provesBooks();
  });

  test('a restart of the database is survived by both, without a restart of theirs', async () => {
    const before = (await bothReady()).map(({ metadata, status }) => [metadata.uid, status.containerStatuses]);
    await postgres.kill();
    await eventually(
      'calls are refused',
      async () => (await throughService().call(WALLET_ROUTES.balances)).status >= 500,
    );
    await postgres.start();
    for (const { status } of await bothReady())
      await eventually('it answers', () => at(status.podIP ?? '').must(WALLET_ROUTES.balances), PATIENCE_MS);
    const after = (await bothReady()).map(({ metadata, status }) => [metadata.uid, status.containerStatuses]);
    expect(after).toEqual(before);
    await connect();
    await act('resume');
    await reaches('running');
    const { id: made } = await throughService().must(KIND_ROUTES.containerService.create, {
      body: { ...PAGE, command: [...PAGE.command], ports: [...PAGE.ports] },
    });
    servedAt = await eventually(
      'the page is served',
      async () => {
        const found = await kubectl.get<ContainerService>('containerservice', made, '-n', organizationNamespace(org));
        const { phase, url = '' } = found?.status ?? {};
        return phase === 'active' ? new URL(url).host : undefined;
      },
      PATIENCE_MS,
    );
    await provesBooks();
  });

  /** Makes something happen while people call, without one of them noticing. */
  async function unnoticed(happens: () => Promise<void>): Promise<void> {
    const tenants = await tenantsPods();
    const url = (path: string) => throughService().url(path);
    const reads = ['/', `/api${ACCOUNT_ROUTES.getMe.path}`, `/api${KIND_ROUTES.gpuInstance.list.path}`];
    const rename = {
      url: url(`/api${KIND_ROUTES.gpuInstance.change.path.replace('{id}', id)}`),
      bodyOf: (call: number) => ({ displayName: `dev_${call}` }),
      connections: 'kept',
    } as const;
    const page = {
      url: new URL(`http://${service}:${TENANTS}/`),
      headers: { host: servedAt },
      connections: 'new',
    } as const;
    const stop = callSteadily({
      calls: [...reads.map((path) => ({ url: url(path) })), rename, page],
      streams: [url(`/api${MESSAGE_ROUTES.streamMessages.path}?watch=${gpuInstance.plural}`)],
      headers: { 'x-token': staff.client.token ?? '' },
    });
    let seen: Awaited<ReturnType<typeof stop>>;
    try {
      await happens();
    } finally {
      seen = await stop();
      console.log(`${seen.calls} calls, ${seen.failures.length} failed, ${seen.events} events`);
    }
    const { calls, events, failures } = seen;
    expect(failures).toEqual([]);
    expect(calls).toBeGreaterThan(100);
    // The streams brought events.
    expect(events).toBeGreaterThan(10);
    expect(await tenantsPods()).toEqual(tenants);
  }

  const partsOfPlatform = async () => {
    const all = await kubectl.get<{ items: readonly Seen[] }>('pods', ...NAMESPACED);
    return (all?.items ?? []).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  };

  test(
    'each Pod of the platform may end, and the kubelet of each node die, without a call that fails or a Pod of tenants that restarts',
    async () => {
      const parts = await partsOfPlatform();
      expect(parts.length).toBeGreaterThan(7);
      const allReady = (but: Seen) =>
        eventually(
          `all are ready again after ${but.metadata.name}`,
          async () => {
            const now = await partsOfPlatform();
            const isGone = now.every(({ metadata }) => metadata.uid !== but.metadata.uid);
            return isGone && now.length === parts.length && now.every(isReady);
          },
          PATIENCE_MS,
        );
      await unnoticed(async () => {
        for (const part of parts) {
          // A gateway ends its calls, as in an eviction; whatever else there is dies as when its node does.
          const isGateway = part.metadata.name.startsWith('gantry-gateway');
          const how = isGateway ? [] : ['--grace-period=0', '--force'];
          await kubectl.must(['delete', 'pod', part.metadata.name, ...NAMESPACED, ...how]);
          await allReady(part);
        }
        for (const node of RealNode.all(cluster)) {
          await node.losesKubelet();
          await node.startsKubelet();
        }
      });
      // By operator, agent and registry as they are now.
      await act('stop');
      await reaches('stopped');
      await act('resume');
      await reaches('running');
      await provesBooks();
    },
    PREPARED_WITHIN_MS,
  );

  const withDigests = (digests: object) => {
    const image = values.image as { digests: object };
    return { ...values, image: { ...image, digests: { ...image.digests, ...digests } } };
  };
  const organization = () =>
    kubectl.get<{ metadata: { uid: string }; spec: Record<string, unknown> }>('organization', org);
  let nextDigests: object;
  let nextChart: string;

  test(
    'an upgrade under load fails no call and restarts no Pod of tenants',
    async () => {
      const migration = 'CREATE TABLE "of_the_next_version" ("id" text PRIMARY KEY NOT NULL);';
      nextDigests = await pushNextVersion(cluster, { version: NEXT, migration });
      nextChart = await chartOf(cluster.dir, NEXT);
      await unnoticed(() => installChart(cluster, { values: withDigests(nextDigests), chart: nextChart }));
      expect(await versions()).toEqual([NEXT, NEXT]);
      await sql.query('select from of_the_next_version');
      const patch = `--patch={"spec":{"${NEXT_FIELD}":"new"}}`;
      await kubectl.must(['patch', 'organization', org, '--type=merge', patch]);
      expect((await organization())?.spec[NEXT_FIELD]).toBe('new');
    },
    PREPARED_WITHIN_MS,
  );

  test(
    'a version whose migration fails never takes over: the one before serves on, and a rollback tidies up',
    async () => {
      const migration = 'ALTER TABLE "there_is_none" ADD COLUMN "a" text;';
      const broken = await pushNextVersion(cluster, { version: BROKEN, migration, images: ['gateway'] });
      const brokenValues = withDigests({ ...nextDigests, ...broken });
      await unnoticed(async () => {
        await expect(
          installChart(cluster, { values: brokenValues, chart: nextChart, timeout: '60s' }),
        ).rejects.toThrow();
        const ready = (await pods()).filter(isReady);
        expect(ready).toHaveLength(2);
        for (const { status } of ready)
          expect(await (await at(status.podIP ?? '').fetch('/version.json')).json()).toEqual({ version: NEXT });
        await helm(cluster, ['rollback', 'gantry', '--wait', '--timeout', '5m']);
      });
      expect(await versions()).toEqual([NEXT, NEXT]);
    },
    PREPARED_WITHIN_MS,
  );

  test(
    'the version before comes back under load, on the tables that the next one added to',
    async () => {
      const [now] = await versions();
      expect(now).toBe(NEXT);
      const before = await organization();
      await unnoticed(() => installChart(cluster, { values, chart }));
      expect((await organization())?.metadata.uid).toBe(before?.metadata.uid);
      expect((await organization())?.spec).not.toHaveProperty(NEXT_FIELD);
      expect(new Set(await versions()).has(NEXT)).toBe(false);
      await sql.query('select from of_the_next_version');
      await provesBooks();
      await act('shutdown');
      await reaches('shutDown');
    },
    PREPARED_WITHIN_MS,
  );
}
