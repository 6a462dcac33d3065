// Services in real containers, asked over HTTP at their published hosts, with the gateway, billing and the operator as in production:
// one sleeps and is woken by a crowd, one is updated badly, one follows its load, one is for holders of tokens, one is not paid for.
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { BILLING_COMMANDS } from '@gantry/contract/areas/billing/admin-billing.ts';
import { SERVICE_ROUTES } from '@gantry/contract/areas/container-services/container-services.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import { MONITOR_ROUTES } from '@gantry/contract/areas/monitoring/monitor.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { type ContainerService, containerService } from '@gantry/contract/kinds/container-service.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { gatewayFlags } from '../../hack/gateway.ts';
import { TENANT_DOMAIN } from '../../hack/layout.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { guidesInOrder } from '../support/guide-blocks.ts';
import type { Kubectl } from '../support/kubectl.ts';
import { type Mailbox, openMailbox } from '../support/mail-sink.ts';
import { firstAdministrator, type Person, signUp } from '../support/sign-up.ts';
import { OF_MODELS, playGuides } from './played-guides.ts';
import { setStage, type Tenant } from './stage.ts';
import { type Tracked, Tracker } from './tracked.ts';

const stage = setStage('--probe-every=24h', '--credit-gate=required');
const PATIENCE_MS = 120_000;
const PORT = 8080;

/** A web server that says who it is, at once or, below /cgi-bin/slow, after a second. It ends when it is told to. */
const PROGRAM = [
  'mkdir -p /tmp/www/cgi-bin',
  'hostname > /tmp/www/index.html',
  'cp /tmp/www/index.html /tmp/www/healthy',
  'printf "#!/bin/sh\\nsleep 1\\nprintf \'Content-Type: text/plain\\\\r\\\\n\\\\r\\\\n\'\\nhostname\\n" > /tmp/www/cgi-bin/slow',
  'chmod +x /tmp/www/cgi-bin/slow',
  `httpd -f -p ${PORT} -h /tmp/www & trap "exit 0" TERM; wait`,
].join('\n');
const WEB = {
  image: 'registry.gantry.internal/official/busybox:1.36',
  command: ['sh', '-c', PROGRAM],
  cores: 0.1,
  memoryGi: 0.0625,
  ports: [{ name: 'web', port: PORT }],
  publish: { port: PORT, access: 'Public' as 'Public' | 'Tokens' },
};

let services: Tracker<ContainerService>;
let mailbox: Mailbox;
let gateway: GatewayProcess;
/** Has credit. */
let ann: Person;
let acme: Tenant;
let asAnn: Kubectl;
let staff: Person;
/** Has none. */
let bob: Person;
let poor: Tenant;

beforeAll(async () => {
  const { cluster, admin } = stage();
  [mailbox, services] = await Promise.all([openMailbox(), Tracker.start<ContainerService>(stage(), containerService)]);
  const flags = [
    ...(await gatewayFlags(cluster)),
    '--billing=on',
    `--smtp-url=${mailbox.url}`,
    `--tenant-domain=${TENANT_DOMAIN}`,
    // The operator writes addresses with this one.
    `--tenant-port=${cluster.ports.tenantWeb}`,
  ];
  gateway = await GatewayProcess.start(admin, { flags });
  staff = await firstAdministrator(gateway);
  ann = await signUp(gateway.client, mailbox, 'ann_services');
  bob = await signUp(gateway.client, mailbox, 'bob_services');
  acme = await organizationOf(ann);
  poor = await organizationOf(bob);
  const body = { kind: 'grant', amount: '50', reason: 'to try services out' } as const;
  await staff.client.must(BILLING_COMMANDS.adminTransfer, { params: { id: acme.id }, body });
  await ann.organizationReady();
  await bob.organizationReady();
  asAnn = await acme.kubectlAs((await ann.client.must(ACCOUNT_ROUTES.getMe)).account_id);
});
afterAll(async () => {
  services?.stop();
  await gateway?.close();
  await mailbox?.close();
});

async function organizationOf(person: Person): Promise<Tenant> {
  return stage().adopt((await person.client.must(ACCOUNT_ROUTES.getMe)).org_id);
}

type Body = Partial<typeof WEB> &
  Partial<Pick<ContainerService['spec'], 'update' | 'readiness' | 'replicas' | 'wake'>> & {
    autoscaling?: Partial<NonNullable<ContainerService['spec']['autoscaling']>>;
  };

/** As somebody does in the console. */
async function deploys(displayName: string, spec: Body = {}): Promise<Tracked<ContainerService>> {
  // The cluster learns of a new member a moment later.
  const { id } = await eventually(`${displayName} is made`, () =>
    ann.client.must(KIND_ROUTES.containerService.create, { body: { displayName, ...WEB, ...spec } }),
  );
  return services.known(acme.namespace, id);
}

interface Answered {
  status: number;
  body: string;
  cookie?: string;
}

/** At the address that its status says, over a connection of its own. */
function ask(service: Tracked<ContainerService>, path = '/', headers: Record<string, string> = {}): Promise<Answered> {
  const { hostname, port } = new URL(service.last.status.url ?? '');
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const all = { ...headers, host: `${hostname}:${port}`, accept: '*/*' };
  // Whether this machine resolves names below localhost is its own affair.
  const req = request({ host: '127.0.0.1', port, path, headers: all, agent: false }, (res) => {
    let body = '';
    res.setEncoding('utf8');
    res.on('data', (text: string) => {
      body += text;
    });
    const { statusCode: status = 0, headers: heads } = res;
    const cookie = heads['set-cookie']?.[0]?.split(';')[0];
    res.on('end', () => resolve({ status, body: body.trim(), ...(cookie !== undefined && { cookie }) }));
    res.on('error', reject);
  });
  req.on('error', reject).end();
  return promise;
}

const podsOf = ({ name }: Tracked<ContainerService>) =>
  stage()
    .pods.living()
    .filter(({ metadata }) => metadata.labels?.['gantry.dev/name'] === name);

test.concurrent('the example answers, sleeps when nobody asks, and a crowd of fifty wakes it once with none lost', async () => {
  const { metadata, spec }: ContainerService = parse(await readFile('crds/examples/container-service.yaml', 'utf8'));
  const hello = await services.make(acme.namespace, metadata.name, spec);
  await hello.reaches('active');
  expect(await ask(hello)).toEqual({ status: 200, body: `hello from ${hello.last.status.pods?.[0]?.name}` });
  const asleep = await hello.reaches('sleeping');
  expect(asleep.status.scaling).toMatchObject({ replicas: 0, because: 'Idle' });
  await eventually('its replica is gone', () => podsOf(hello).length === 0, PATIENCE_MS);
  // A health check wakes nobody.
  expect((await ask(hello, '/', { 'user-agent': 'kube-probe/1.34' })).status).toBe(503);

  const crowd = await Promise.all(Array.from({ length: 50 }, () => ask(hello)));
  expect(crowd.map(({ status }) => status)).toEqual(crowd.map(() => 200));
  await hello.reaches('active');
  expect(crowd.every(({ body }) => body.startsWith('hello from '))).toBe(true);
  await eventually('its requests are counted', async () => {
    const { hour } = await ann.client.must(SERVICE_ROUTES.getServiceTraffic, { params: { id: hello.name } });
    expect(hour).toMatchObject({ requests: 52, checks: 1, ok: 51, wakes: 1 });
    return true;
  });
  // The time that it slept is not billed.
  expect(hello.last.status.intervals?.at(0)?.to).toBeDefined();
});

test.concurrent('a bad update leaves the old replicas serving, and a rollback brings the good revision back', async () => {
  const steady = await deploys('steady', {
    readiness: { path: '/healthy', timeoutSeconds: 2 },
    update: { maxSurge: 1, maxUnavailable: 0, deadlineMinutes: 1 },
  });
  const good = await steady.reaches('active');
  const old = good.status.pods?.[0]?.name;
  await steady.wish({ image: 'registry.gantry.internal/official/no-such-image:1' });
  const failed = await steady.becomes('a failed update', ({ status }) => status.reason === 'UpdateGivenBack', 180_000);
  expect(failed.status).toMatchObject({ phase: 'partialSuccess', revision: 2, replicas: { ready: 1 } });
  expect(await ask(steady)).toEqual({ status: 200, body: old });

  const params = { id: steady.name };
  await ann.client.must(KIND_ROUTES.containerService.act, { params, body: { action: 'rollback' } });
  const back = await steady.becomes(
    'back',
    ({ spec, status }) => status.phase === 'active' && spec.image === WEB.image,
  );
  expect(back.status.revisions?.map(({ outcome }) => outcome).slice(0, 2)).toEqual(['good', 'bad']);
  expect((await ask(steady)).status).toBe(200);

  const scale = (replicas: number) =>
    asAnn.must(['scale', 'containerservice', steady.name, `--replicas=${replicas}`, '-n', steady.namespace]);
  await scale(2);
  const two = await steady.becomes('of two replicas', ({ status }) => status.replicas?.ready === 2);
  // As an autoscaler of the cluster finds them.
  const read = await asAnn.must(['get', '--raw', `${services.pathOf(steady.namespace)}/${steady.name}/scale`]);
  const { spec, status } = JSON.parse(read);
  expect([spec.replicas, status.replicas]).toEqual([2, 2]);
  const found = await asAnn.must(['get', 'pods', '-n', steady.namespace, '-l', status.selector, '-o', 'name']);
  expect(found.trim().split('\n').toSorted()).toEqual(two.status.pods?.map(({ name }) => `pod/${name}`).toSorted());
  await scale(1);
  await eventually('it is recorded', async () => {
    const [record] = await ann.client.must(SERVICE_ROUTES.listServiceScaling, { params });
    expect(record).toMatchObject({ before: 2, replicas: 1 });
    return true;
  });

  await ann.client.must(KIND_ROUTES.containerService.act, { params, body: { action: 'stop' } });
  await eventually('it is recorded who stopped it', async () => {
    const [record] = await ann.client.must(SERVICE_ROUTES.listServiceScaling, { params });
    expect(record).toMatchObject({ before: 1, replicas: 0, by: 'manual', account_name: 'ann_services' });
    return true;
  });
});

test.concurrent('a service follows its load to two replicas, and both serve', async () => {
  const busy = await deploys('busy', {
    autoscaling: { min: 1, max: 2, metrics: [{ type: 'InFlight', target: 1 }] },
  });
  await busy.reaches('active');
  const scaled = await asAnn.run(['scale', 'containerservice', busy.name, '--replicas=2', '-n', busy.namespace]);
  expect(scaled.stderr).toContain(`spec.replicas: ${busy.name} scales itself.`);
  const seen = new Set<string>();
  const visitor = async () => {
    while (seen.size < 2) {
      const { status, body } = await ask(busy, '/cgi-bin/slow');
      if (status !== 200) throw new Error(`${status}: ${body}`);
      seen.add(body);
    }
  };
  await Promise.all([1, 2, 3, 4].map(visitor));
  const grown = await busy.becomes('of two replicas', ({ status }) => status.replicas?.ready === 2);
  expect(grown.status.scaling).toMatchObject({ replicas: 2 });
  expect(seen).toEqual(new Set(grown.status.pods?.map(({ name }) => name)));
  const own = `service/${busy.name}`;
  await eventually('the map shows what came to each of them', async () => {
    const { edges } = await ann.client.must(MONITOR_ROUTES.topology);
    const countOf = (to: string) => edges.find((one) => one.to === to)?.flow?.requests ?? 0;
    const counts = [...seen].map((pod) => countOf(`replica/${own}/${pod}`));
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(countOf(own));
    return true;
  });
  const theirs = await bob.client.must(MONITOR_ROUTES.topology);
  expect(JSON.stringify(theirs)).not.toContain(busy.name);
});

test.concurrent('a service for holders of tokens knows those of its organisation alone', async () => {
  const secret = await deploys('secret', { publish: { port: PORT, access: 'Tokens' } });
  await secret.reaches('active');
  const tokenOf = async ({ client }: Person, scopes: ('view' | 'use')[]) => {
    const body = { remark: 'services', scopes, expiration_time: null };
    return (await client.must(KEY_ROUTES.createApiToken, { body })).token;
  };
  const by = async (token: string) => (await ask(secret, '/', { authorization: `Bearer ${token}` })).status;
  expect((await ask(secret)).status).toBe(401);
  expect(await by(await tokenOf(bob, ['view', 'use']))).toBe(401);
  expect(await by(await tokenOf(ann, ['view']))).toBe(401);
  expect(await by(await tokenOf(ann, ['view', 'use']))).toBe(200);

  // Opened to members too: the console's link lets one of them in, and nobody else gets it.
  await secret.wish({ publish: { port: PORT, access: 'Members' } });
  const params = { id: secret.name };
  await eventually('the gateway knows that', async () => (await ask(secret)).body.includes('login_needed'));
  const { url } = await ann.client.must(SERVICE_ROUTES.openServiceWeb, { params });
  const { pathname, search } = new URL(url);
  const entrance = `${pathname}${search}`;
  expect((await bob.client.call(SERVICE_ROUTES.openServiceWeb, { params })).status).toBe(404);
  const entered = await ask(secret, entrance);
  expect(entered.status).toBe(303);
  expect((await ask(secret, '/', { cookie: entered.cookie ?? '' })).status).toBe(200);
  // A link works once.
  expect((await ask(secret, entrance)).status).not.toBe(303);
});

test.concurrent('a service without credit never starts, and its address says so', async () => {
  const body = { displayName: 'hopeful', ...WEB };
  await eventually('the gateway refuses it', async () => {
    const answer = await bob.client.call(KIND_ROUTES.containerService.create, { body });
    expect(answer).toMatchObject({ status: 402, body: { error: 'not_enough_credit' } });
    return true;
  });
  const hopeful = await services.make(poor.namespace, 'hopeful', WEB);
  const unpaid = await hopeful.becomes('unpaid', ({ status: { reason } }) => reason === 'OutOfCredit');
  expect(unpaid.status.pods ?? []).toEqual([]);
  expect((await ask(hopeful)).status).toBe(402);
  expect(podsOf(hopeful)).toEqual([]);
});

test.concurrent('the help centre’s commands do what its articles say: instances, disks, costs, jobs, services, alerts, the API and kubectl', async () => {
  const cat = await signUp(gateway.client, mailbox, 'cat_services');
  const { id } = await organizationOf(cat);
  const body = { kind: 'grant', amount: '20', reason: 'to follow the help centre' } as const;
  await staff.client.must(BILLING_COMMANDS.adminTransfer, { params: { id }, body });
  await cat.organizationReady();
  const slugs = guidesInOrder().filter((slug) => !OF_MODELS.includes(slug));
  const said = await playGuides(slugs, { stage: stage(), gateway, person: cat });
  expect(said).toContain('sum 42');
  expect(said).toContain('hello from ');
  expect(said).toContain('"name":"hello.txt"');
}, 300_000);
