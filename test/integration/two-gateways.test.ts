// Two gateways as processes on one PostgreSQL, beside an API server and an operator: what either counts, holds or ends is the same
// for both, and a reader whose gateway dies goes on at the other.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PAYMENT_ROUTES } from '@gantry/contract/areas/billing/payments.ts';
import { WALLET_ROUTES } from '@gantry/contract/areas/billing/wallet.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { launchOperator, type OperatorProcess, startOperator } from '../faults/operator-process.ts';
import { kubeconfigOf } from '../support/account.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { type CardDouble, cardFlags, openCardDouble, payWithCard } from '../support/card-double.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { HttpClient } from '../support/http-client.ts';
import { inFrontOf } from '../support/in-front-of.ts';
import { LiveStream } from '../support/live.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { Person } from '../support/sign-up.ts';

const START_LIMIT_MS = 300_000;
const PATIENCE_MS = 60_000;
const NEW_PASSWORD = 'Correct-horse-8';
/** Failures from one address at one account that are let through. */
const MOST_WRONG = 5;

let server: ApiServer;
let operator: OperatorProcess;
let postgres: PostgresServer;
let one: GatewayProcess;
let other: GatewayProcess;
let staff: Person;
let org: string;
let cards: CardDouble;
let folder: string;

beforeAll(async () => {
  [server, postgres] = await Promise.all([
    startApiServer({ controllers: ['namespace', 'garbagecollector'] }),
    startPostgres(),
  ]);
  operator = await startOperator({
    kubeconfig: await kubeconfigOf({ namespace: 'gantry-system', name: 'gantry-operator' }, server),
    launch: launchOperator('--credit-gate=required', '--probe-every=24h'),
  });
  const databaseUrl = await postgres.createDatabase('gantry');
  cards = await openCardDouble(() => Date.now());
  folder = await mkdtemp(join(tmpdir(), 'gantry-two-gateways-'));
  const flags = [
    '--billing=on',
    '--requests-per-minute=1000000',
    '--drain=4s',
    ...(await cardFlags(folder, cards.url)),
  ];
  // At once: they migrate in turn, and one of them makes the administrator.
  [one, other] = await Promise.all([
    GatewayProcess.start(server, { databaseUrl, flags }),
    GatewayProcess.start(server, { databaseUrl, flags }),
  ]);
  const { name, password } = await one.administrator().catch(() => other.administrator());
  const { ticket = '' } = await one.client.must(ACCOUNT_ROUTES.login, { body: { account: name, password } });
  await other.client.must(ACCOUNT_ROUTES.resetPassword, { body: { ticket, password: NEW_PASSWORD } });
  staff = new Person({ name, email: '', password: NEW_PASSWORD, accountId: '' }, one.client);
  await staff.login();
  org = (await at(other).must(ACCOUNT_ROUTES.getMe)).org_id;
  await staff.organizationReady();
}, START_LIMIT_MS);
afterAll(async () => {
  await Promise.all([one?.close(), other?.close()]);
  await operator?.close();
  await postgres?.end();
  await server?.stop();
  await cards?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const at = (gateway: GatewayProcess) => gateway.client.with(staff.client.token ?? '');
const available = async (gateway: GatewayProcess) =>
  parseMoney((await at(gateway).must(WALLET_ROUTES.balances)).available);

test('wrong passwords at either count together', async () => {
  const statuses: number[] = [];
  for (let tries = 0; tries <= MOST_WRONG; tries++) {
    const { client } = tries % 2 === 0 ? one : other;
    const body = { account: 'nobody_here', password: 'Wrong-horse-7' };
    statuses.push((await client.call(ACCOUNT_ROUTES.login, { body })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: MOST_WRONG }, () => 400), 429]);
});

test('a session that ends at one has ended at the other', async () => {
  const { token = '' } = await one.client.must(ACCOUNT_ROUTES.login, {
    body: { account: staff.name, password: NEW_PASSWORD },
  });
  const status = async () => (await other.client.with(token).call(ACCOUNT_ROUTES.getMe)).status;
  expect(await status()).toBe(200);
  await one.client.with(token).must(ACCOUNT_ROUTES.logout);
  await eventually('it is refused', async () => (await status()) === 401, PATIENCE_MS);
});

test('a call that is sent to both under one key is made once', async () => {
  const before = await available(one);
  const headers = { 'idempotency-key': 'a-payment-of-the-test' };
  const body = { amount: '1', payment_channel: 'card' } as const;
  const answers = await Promise.all(
    [one, other, one, other].map((gateway) => at(gateway).call(PAYMENT_ROUTES.recharge, { body, headers })),
  );
  const payments = answers.map(({ status, body: answer }) => (status === 201 ? answer.result.id : `${status}`));
  expect(new Set(payments).size).toBe(1);
  await payWithCard(at(other), cards.url, payments[0] ?? '');
  expect(await available(other)).toBe(before + parseMoney('1'));
});

test('of credit for some, both together reserve no more than there is', async () => {
  const body = { displayName: 'one', image: 'library/busybox:1.36', cores: 4, memoryGi: 8 };
  const { needed } = await at(one).must(WALLET_ROUTES.estimate, { body: { kind: gpuInstance.kind, spec: body } });
  const cost = parseMoney(needed);
  expect(cost).toBeGreaterThan(0n);
  const wallet = () => at(other).must(WALLET_ROUTES.balances);
  const fit = parseMoney((await wallet()).available) / cost;
  expect(fit).toBeGreaterThan(0n);
  const wanted = Number(fit) + 6;
  const answers = await Promise.all(
    Array.from({ length: wanted }, (_, index) =>
      at(index % 2 === 0 ? one : other).call(KIND_ROUTES.gpuInstance.create, { body }),
    ),
  );
  const made = answers.flatMap(({ status, body: answer }) => (status === 201 ? [answer.result.id] : []));
  expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 402)).toEqual([]);
  const reserved = () => server.kubectl.get<{ items: GpuInstance[] }>('gpuinstances', '-n', organizationNamespace(org));
  const decided = await eventually(
    'all are decided',
    async () => {
      const all = ((await reserved())?.items ?? []).map(
        ({ status }) => status?.conditions?.find(({ type }) => type === 'CreditReserved')?.status,
      );
      return all.length === made.length && all.every((answer) => answer === 'True' || answer === 'False')
        ? all
        : undefined;
    },
    PATIENCE_MS,
  );
  expect(BigInt(decided.filter((answer) => answer === 'True').length)).toBe(fit);
  expect(parseMoney((await wallet()).held)).toBe(fit * cost);
});

test('one that is told to stop says that it is not ready, and answers on until the others are known to be', async () => {
  const ended = one.terminate();
  await eventually('it says so', async () => (await one.client.fetch('/readyz')).status === 503, PATIENCE_MS);
  const { status, headers } = await at(one).call(ACCOUNT_ROUTES.getMe);
  expect([status, headers.get('connection')]).toEqual([200, 'close']);
  expect(await ended).toBe(0);
  await expect(one.client.fetch('/readyz')).rejects.toThrow();
  await one.restart();
});

test('a reader whose gateway is killed goes on at the other, which says what to read anew', async () => {
  const balancer = await inFrontOf(() => Number(new URL((one.pid() === undefined ? other : one).url).port));
  const reader = new HttpClient(() => `http://127.0.0.1:${balancer.port}`, staff.client.token);
  const live = await LiveStream.open(reader, gpuInstance.plural);
  const read = () => reader.must(KIND_ROUTES.gpuInstance.list);
  const [{ id } = { id: '' }] = await read();
  const rename = (displayName: string) =>
    server.kubectl.must([
      ...['patch', 'gpuinstance', id, '-n', organizationNamespace(org), '--type=merge'],
      ...['-p', JSON.stringify({ spec: { displayName } })],
    ]);
  const tells = (name: string) =>
    eventually(
      `the stream tells of ${name}`,
      () => live.resources.some((event) => event.id === id && event.view?.name === name),
      PATIENCE_MS,
    );
  try {
    await rename('before');
    await tells('before');
    one.kill();
    await one.exited();
    await rename('meanwhile');
    await eventually('it is told to read anew', () => live.resets.includes(gpuInstance.plural), PATIENCE_MS);
    await eventually('it reads the new name', async () =>
      (await read()).some((each) => each.id === id && each.name === 'meanwhile'),
    );
    await rename('after');
    await tells('after');
  } finally {
    live.close();
    await balancer.close();
  }
  await one.restart();
  for (const gateway of [one, other]) expect((await at(gateway).call(ACCOUNT_ROUTES.getMe)).status).toBe(200);
});
