// Organisations and keys, with a real API server, the operator and the gateway as processes with their own rights: what a person
// does over HTTP is there on the cluster, and ends there. No node is needed for any of it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import { MESSAGE_ROUTES } from '@gantry/contract/areas/messages/messages.ts';
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { launchOperator, type OperatorProcess, startOperator } from '../faults/operator-process.ts';
import { kubeconfigOf } from '../support/account.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { gpuInstance } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { type Kubectl, kubectlWith } from '../support/kubectl.ts';
import { type Mailbox, openMailbox } from '../support/mail-sink.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { type Person, signUp } from '../support/sign-up.ts';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3ZA+pg+cXZb3ElTe0owycI19d1t16gkBQKSjtM+bF9';
const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString();

/** Longer than the gateway's own, which tells its last words. */
const START_LIMIT_MS = 300_000;

/** Raises an uncaught error at a signal. */
const FAULTS = ['--import=./test/support/fault-on-signal.ts'];

let folder: string;
let server: ApiServer;
let operator: OperatorProcess;
let mailbox: Mailbox;
let postgres: PostgresServer;
let gateway: GatewayProcess;
let ann: Person;
let bob: Person;
/** The id of both organisations: Ann owns it. */
let orgId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-organizations-'));
  server = await startApiServer({ controllers: ['namespace', 'garbagecollector'] });
  mailbox = await openMailbox();
  operator = await startOperator({
    kubeconfig: await kubeconfigOf({ namespace: 'gantry-system', name: 'gantry-operator' }, server),
    launch: (place) => {
      const { file, args, env = {} } = launchOperator('--credit-gate=off', '--probe-every=24h')(place);
      return { file, args: [...FAULTS, ...args], env };
    },
  });
  // It starts sooner than the embedded one.
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase('gantry');
  gateway = await GatewayProcess.start(server, {
    databaseUrl,
    flags: [`--smtp-url=${mailbox.url}`],
    nodeFlags: FAULTS,
  });
  ann = await signUp(gateway.client, mailbox, 'annabel');
  bob = await signUp(gateway.client, mailbox, 'bobby');
  const made = await ann.client.must(ORGANIZATION_ROUTES.createOrganization, { body: { org_name: 'Acme' } });
  orgId = made.org_id;
  await ann.enter(orgId);
  await ann.client.must(ORGANIZATION_ROUTES.inviteMembers, {
    params: { org_id: orgId },
    body: { members: [{ account: 'bobby', role: 'member' }] },
  });
  await bob.join(orgId);
  await ann.organizationReady();
}, START_LIMIT_MS);
afterAll(async () => {
  await gateway?.close();
  await operator?.close();
  await postgres?.end();
  await mailbox?.close();
  await server?.stop();
  if (folder) await rm(folder, { recursive: true });
});

async function kubectlOf(name: string, kubeconfig: string): Promise<Kubectl> {
  const file = join(folder, name);
  await writeFile(file, kubeconfig, { mode: 0o600 });
  return kubectlWith(file);
}

/** With a kubeconfig as it was downloaded, once the member's account is there. */
async function download(person: Person): Promise<{ id: string; token: string; kubectl: Kubectl }> {
  const made = await eventually('a kubeconfig', () =>
    person.client.must(KEY_ROUTES.createKubeconfig, { body: { remark: 'laptop', expiration_time: inDays(30) } }),
  );
  const token = /token: "(.*)"/.exec(made.kubeconfig)?.[1] ?? '';
  return { id: made.id, token, kubectl: await kubectlOf(made.id, made.kubeconfig) };
}

const organizationOf = async (id: string) => {
  const { code, stdout } = await server.kubectl.run(['get', 'organization', id, '-o', 'json']);
  return code === 0 ? JSON.parse(stdout) : undefined;
};

test("a row's name, description and members are on the cluster, and settings of staff stay", async () => {
  const quota = { spec: { quota: { gpus: 3 } } };
  await server.kubectl.must(['patch', 'organization', orgId, '--type', 'merge', '--patch', JSON.stringify(quota)]);
  const body = { org_name: 'Acme Works', description: 'makes all' };
  await ann.client.must(ORGANIZATION_ROUTES.editOrganization, { params: { org_id: orgId }, body });
  await eventually('the resource follows', async () => {
    expect((await organizationOf(orgId)).spec).toMatchObject({
      displayName: 'Acme Works',
      description: 'makes all',
      quota: { gpus: 3 },
      members: expect.arrayContaining([
        { account: ann.accountId, role: 'owner' },
        { account: bob.accountId, role: 'member' },
      ]),
    });
    return true;
  });
});

test('one that kubectl made is adopted, for the members who have accounts', async () => {
  const spec = { displayName: 'By kubectl', members: [{ account: ann.accountId, role: 'owner' }] };
  const wanted = { apiVersion: API_VERSION, kind: 'Organization', metadata: { name: 'by-kubectl' }, spec };
  await server.kubectl.must(['create', '-f', '-'], wanted);
  await eventually('it is listed', async () => {
    const mine = await ann.client.must(ORGANIZATION_ROUTES.listOrganizations);
    return mine.find(({ org_id, role, currency }) => org_id === 'by-kubectl' && role === 'owner' && currency === 'USD');
  });
});

test("a kubeconfig has its role's rights in its organisation, nothing beside, and ends when it is revoked", async () => {
  const { id, token, kubectl } = await download(bob);
  await kubectl.must(['get', 'gpuinstances']);
  const past = await server.kubectl.run(['get', 'gpuinstances', '--token', token, '--namespace', `org-${orgId}`]);
  expect(past.stderr).toContain('You must be logged in');
  const can = async (...what: string[]) => (await kubectl.run(['auth', 'can-i', ...what])).stdout.trim();
  expect([await can('create', 'gpuinstances'), await can('create', 'pods')]).toEqual(['yes', 'no']);
  expect(await can('list', 'gpuinstances', '--namespace', 'org-by-kubectl')).toBe('no');
  expect(await can('list', 'organizations')).toBe('no');
  // Nobody speaks as somebody else: that header is not passed on.
  expect((await kubectl.run(['auth', 'whoami', '--as', 'system:admin'])).stdout).toContain(bob.accountId);

  const watch = await kubectl.follow(['get', 'gpuinstances', '--watch']);
  await kubectl.must(
    ['create', '-f', '-'],
    gpuInstance({ name: 'seen', namespace: `org-${orgId}`, spec: { creator: bob.accountId } }),
  );
  await eventually('the watch tells of it', () => watch.said().includes('seen'));
  await bob.client.must(KEY_ROUTES.deleteKubeconfig, { params: { id } });
  await watch.ended;
  expect((await kubectl.run(['get', 'gpuinstances'])).stderr).toContain('expired or revoked');
  await eventually('its Secret is gone', async () => {
    const { stdout } = await server.kubectl.run(['get', 'secrets', '--namespace', `org-${orgId}`, '-o', 'name']);
    return !stdout.includes(id);
  });
}, 60_000);

test('the gateway keeps empty Secrets of kubeconfigs, and no other', async () => {
  const account = { namespace: 'gantry-system', name: 'gantry-gateway' };
  const kubectl = await kubectlOf('gateway', await kubeconfigOf(account, server));
  const secret = (name: string, more: object) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: `org-${orgId}`, labels: { 'gantry.dev/managed': 'true' } },
    type: 'gantry.dev/kubeconfig',
    ...more,
  });
  const tried = async (wanted: object) => (await kubectl.run(['create', '--dry-run=server', '-f', '-'], wanted)).stderr;
  expect(await tried(secret('kubeconfig-1', {}))).toBe('');
  for (const wanted of [
    secret('other', {}),
    secret('kubeconfig-1', { stringData: { token: 'x' } }),
    secret('kubeconfig-1', { type: 'Opaque' }),
    secret('kubeconfig-1', { metadata: { name: 'kubeconfig-1', namespace: `org-${orgId}` } }),
  ])
    expect(await tried(wanted)).toContain('The gateway writes only Secrets that carry gantry.dev/managed');
  const pull = await kubectl.run(['delete', 'secret', 'gantry-pull', '--namespace', `org-${orgId}`]);
  expect(pull.stderr).toContain('The gateway writes only Secrets that carry gantry.dev/managed');
  expect((await kubectl.run(['get', 'secrets', '--namespace', `org-${orgId}`])).stderr).toContain('Forbidden');
});

test('a key that is deleted is taken off the instances that carry it', async () => {
  const { kubectl } = await download(bob);
  const spec = {
    creator: bob.accountId,
    sshKeys: [
      { remark: 'mine', publicKey: `${KEY} bob@laptop` },
      { remark: 'other', publicKey: KEY.replace('bF9', 'bF8') },
    ],
  };
  await kubectl.must(['create', '-f', '-'], gpuInstance({ name: 'dev', namespace: `org-${orgId}`, spec }));
  const body = { remark: 'laptop', public_key: KEY, expiration_time: null };
  const { id } = await bob.client.must(KEY_ROUTES.createPubKey, { body });
  await bob.client.must(KEY_ROUTES.deletePubKey, { params: { id } });
  await eventually('one key is left', async () => {
    const path = '{.spec.sshKeys[*].remark}';
    return (await kubectl.must(['get', 'gpuinstance', 'dev', '-o', `jsonpath=${path}`])) === 'other';
  });
});

test('whoever is removed has no session, no token and no kubeconfig any more', async () => {
  const { kubectl } = await download(bob);
  const { token } = await bob.client.must(KEY_ROUTES.createApiToken, {
    body: { remark: 'ci', scopes: ['view'], expiration_time: null },
  });
  const params = { org_id: orgId, account_id: bob.accountId };
  await ann.client.must(ORGANIZATION_ROUTES.removeMember, { params });
  for (const client of [bob.client, bob.client.with(token)])
    expect((await client.call(ACCOUNT_ROUTES.getMe)).status).toBe(401);
  await eventually('the kubeconfig is refused', async () => (await kubectl.run(['get', 'gpuinstances'])).code !== 0);
});

test('an organisation that is deleted is gone from the cluster, whoever made it', async () => {
  const org_id = 'by-kubectl';
  await ann.enter(org_id);
  await ann.client.must(ORGANIZATION_ROUTES.deleteOrganization, { params: { org_id }, query: { confirm: org_id } });
  expect((await ann.client.call(ACCOUNT_ROUTES.getMe)).status).toBe(401);
  await eventually('it is gone', async () => (await organizationOf(org_id)) === undefined);
  await ann.login();
  const left = await ann.client.must(ORGANIZATION_ROUTES.listOrganizations);
  expect(left.map((mine) => mine.org_id)).not.toContain(org_id);
});

test('an exception that nobody catches ends the gateway in order: not ready, calls and streams finished, exit code 1', async () => {
  const stream = await ann.client.fetch(`/api${MESSAGE_ROUTES.streamMessages.path}`);
  expect(stream.status).toBe(200);
  const { host, port } = new URL(gateway.url) as { host: string; port: string };
  const slow = connect(Number(port), '127.0.0.1');
  const body = '{"account":"annabel","password":"wrong"}';
  const head = [`POST /api${ACCOUNT_ROUTES.login.path} HTTP/1.1`, `Host: ${host}`, 'Content-Type: application/json'];
  slow.write(`${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body.slice(0, 10)}`);
  await eventually('the call is under way', async () => (await gateway.client.fetch('/healthz')).ok);

  process.kill(gateway.pid() ?? 0, 'SIGPWR');
  await eventually('it is said', () => gateway.logs().some((line) => line.includes('an exception of the test')));
  await eventually('it is not ready', () =>
    gateway.client.fetch('/readyz').then(
      ({ status }) => status === 503,
      () => true,
    ),
  );
  // Resolves for a stream that is ended, and rejects for one that is cut off.
  await stream.text();
  slow.write(body.slice(10));
  expect(await text(slow)).toMatch(/^HTTP\/1\.1 (400|401) /);
  expect(await gateway.exited()).toBe(1);
});

test('a rejection that nobody waits for ends the gateway although a call does not finish', async () => {
  await gateway.restart();
  const stuck = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  stuck.on('error', () => {});
  stuck.write(`POST /api${ACCOUNT_ROUTES.login.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{`);
  await eventually('the call is under way', async () => (await gateway.client.fetch('/healthz')).ok);
  process.kill(gateway.pid() ?? 0, 'SIGXFSZ');
  expect(await gateway.exited()).toBe(1);
  expect(gateway.logs().some((line) => line.includes('a rejection of the test'))).toBe(true);
}, 60_000);

test.each(['SIGPWR', 'SIGXFSZ'] as const)(
  'what nobody catches (%s) ends the operator with 1, its Lease given back',
  async (signal) => {
    if (operator.pid() === undefined) await operator.restart();
    const holders = async () => {
      const leases = await server.kubectl.must(['get', 'lease', '--namespace', 'gantry-system', '-o', 'json']);
      return JSON.parse(leases).items.map((item: { spec: { holderIdentity?: string } }) => item.spec.holderIdentity);
    };
    // It is ready before it leads.
    await eventually('it leads', async () => (await holders()).some((holder: string) => holder !== ''));
    process.kill(operator.pid() ?? 0, signal);
    expect(await operator.exited()).toBe(1);
    expect(operator.logs().join('\n')).toMatch(/"level":60.*of the test/);
    expect(await holders()).toEqual(['']);
  },
);
