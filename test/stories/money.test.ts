// Money over HTTP alone: a new person's credits, an instance that costs what the price list says to the second, the end of the
// credit, and a card that brings everything back. The gateway is killed on the way.

import { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import { PAYMENT_STAFF_ROUTES } from '@gantry/contract/areas/billing/payments.ts';
import { WALLET_ROUTES } from '@gantry/contract/areas/billing/wallet.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { REAL_AUTH_ROUTES } from '@gantry/contract/areas/identity/real-auth.ts';
import { TERMINAL_ROUTES } from '@gantry/contract/areas/instances/terminal.ts';
import { parseMoney, sumOf } from '@gantry/contract/fields/money.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { gatewayFlags } from '../../hack/gateway.ts';
import { CardDouble, type CardDoubleSettings } from '../../hack/payments/card-double.ts';
import { CARD_KEYS, cardFlags, topUp } from '../support/card-double.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { type Interval, listPricesOf, setPrice } from '../support/list-price.ts';
import { LiveTerminal } from '../support/live.ts';
import { type Mailbox, openMailbox } from '../support/mail-sink.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { firstAdministrator, type Person, signUp } from '../support/sign-up.ts';
import type { Instance } from './instance.ts';
import { SMALL, setStage, type Tenant } from './stage.ts';

const stage = setStage('--probe-every=24h', '--credit-gate=required');
const PATIENCE_MS = 120_000;
/** A GiB for a month: a second of it costs more than there is. Disks are kept, and paid for, until they are saved elsewhere. */
const RUINOUS = '300000000';
/** The limit of one payment. */
const MOST = parseMoney('8900');

let postgres: PostgresServer;
let databaseUrl: string;
let sql: pg.Client;
let mailbox: Mailbox;
let double: CardDouble;
let gateway: GatewayProcess;
let staff: Person;
let ann: Person;
let org: Tenant;
let dev: Instance;

beforeAll(async () => {
  mailbox = await openMailbox();
  postgres = await startPostgres();
  databaseUrl = await postgres.createDatabase('gantry');
  const card: CardDoubleSettings = { port: 0, ...CARD_KEYS };
  double = new CardDouble(card);
  await double.listen();
  const { folder, cluster, admin } = stage();
  const flags = [
    ...(await gatewayFlags(cluster)),
    '--billing=on',
    `--smtp-url=${mailbox.url}`,
    ...(await cardFlags(folder, double.url)),
  ];
  gateway = await GatewayProcess.start(admin, { flags, databaseUrl });
  card.webhookUrl = `${gateway.url}/api/paybill/v1/webhook/card`;
  sql = new pg.Client({ connectionString: databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
  await gateway?.close();
  await double?.close();
  await postgres?.end();
  await mailbox?.close();
});

const wallet = () => ann.client.must(WALLET_ROUTES.balances);

test('who signs up and is verified has a hundred dollars of credit', async () => {
  staff = await firstAdministrator(gateway);

  ann = await signUp(gateway.client, mailbox, 'ann_money');
  org = stage().adopt((await ann.client.must(ACCOUNT_ROUTES.getMe)).org_id);
  await ann.organizationReady();
  expect(await wallet()).toMatchObject({ balance: '0.00', credits: '0.00' });
  const person = {
    type: 1,
    name: 'Ann',
    id_card: '11010519491231002X',
    phone: '13800000000',
    commitment: true,
  } as const;
  const { id } = await ann.client.must(REAL_AUTH_ROUTES.submitRealAuth, { body: person });
  await staff.client.must(REAL_AUTH_ROUTES.auditRealAuth, { params: { id }, body: { result: 1, reason: 'seen' } });
  await eventually('the credit is there', async () => (await wallet()).credits === '100.00', PATIENCE_MS);
});

test('an instance starts with credit reserved, and writes what has to last', async () => {
  const { image = '', cores = 0, memoryGi = 0, homeDisk } = SMALL;
  const body = { displayName: 'dev', image, cores, memoryGi, ...(homeDisk && { homeDisk }) };
  const { id } = await eventually('the instance is made', () =>
    ann.client.must(KIND_ROUTES.gpuInstance.create, { body }),
  );
  dev = org.known(id);
  await dev.isThere();
  await dev.reaches('running', PATIENCE_MS);
  await dev.sh('echo kept > /root/notes');
  expect(parseMoney((await wallet()).held)).toBeGreaterThan(0n);
});

test('the gateway is killed, and what ran meanwhile is billed: price list times seconds, and the balance falls by it', async () => {
  gateway.kill();
  await dev.wish({ power: 'Stopped' });
  await dev.reaches('stopped', PATIENCE_MS);
  await gateway.restart();
  await eventually(
    'all that has ended is posted',
    async () => {
      const { intervals = [], credit } = dev.last.status as { intervals?: Interval[]; credit?: { postedSeq?: number } };
      const closed = intervals.filter(({ to }) => to !== undefined);
      return closed.length > 0 && (credit?.postedSeq ?? 0) >= (closed.at(-1)?.seq ?? 0);
    },
    PATIENCE_MS,
  );
  const { intervals = [] } = dev.last.status as { intervals?: Interval[] };
  const run = intervals.find(({ uses }) => uses.some(({ resource }) => resource === 'cpu'));
  expect(run).toBeDefined();
  const { rows } = await sql.query<{ net: string }>(
    'SELECT sum(net)::text AS net FROM slices WHERE uid = $1 AND seq = $2',
    [dev.last.metadata.uid, run?.seq],
  );
  const prices = await listPricesOf(gateway.client, run as Interval);
  const costs = sumOf(prices.values());
  expect(costs).toBeGreaterThan(0n);
  expect(BigInt(rows[0]?.net ?? 0)).toBe(costs);
  const { balance, debt } = await wallet();
  expect(debt).toBe('0.00');
  expect(parseMoney(balance)).toBeLessThanOrEqual(parseMoney('100') - costs);
});

test('a price that eats the credit up hibernates it, with its data kept and its wish untouched, whoever looks on', async () => {
  await ann.client.must(KIND_ROUTES.gpuInstance.act, { params: { id: dev.name }, body: { action: 'resume' } });
  dev.fromNow();
  await dev.reaches('running', PATIENCE_MS);
  // Somebody's open terminal is no reason to go on.
  const { url } = await eventually('a terminal opens', () =>
    ann.client.must(TERMINAL_ROUTES.openTerminal, { params: { id: dev.name } }),
  );
  const terminal = new LiveTerminal(ann.client, url);
  try {
    await terminal.becomes('connected');
    await setPrice(staff.client, 'disk', RUINOUS);
    const resting = await dev.becomes(
      'hibernated',
      ({ status }) => status.phase === 'shutDown' && status.reason === 'OutOfCredit',
      PATIENCE_MS,
    );
    expect(resting.status.settledPower).toBe('Hibernated');
    expect(resting.spec.power).toBe('Running');
  } finally {
    terminal.close();
  }
});

test('kubectl apply is refused with the sentence, and the gateway says what is needed', async () => {
  const kubectl = await org.kubectlAs(ann.accountId);
  const manifest = {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'GpuInstance',
    metadata: { name: 'more', namespace: org.namespace },
    spec: { ...SMALL, displayName: 'more', creator: ann.accountId },
  };
  await eventually(
    'kubectl hears why',
    async () => {
      const { code, stderr } = await kubectl.run(['apply', '-f', '-'], manifest);
      if (code === 0) throw new Error('it was taken');
      return /out of credit/i.test(stderr) || Promise.reject(new Error(stderr));
    },
    PATIENCE_MS,
  );
  const body = { displayName: 'more', image: SMALL.image ?? '', cores: 1, memoryGi: 1 };
  expect((await ann.client.call(KIND_ROUTES.gpuInstance.create, { body })).status).toBe(402);
});

test('a card that pays too little changes nothing; one that pays enough brings it back by itself, with its files', async () => {
  await setPrice(staff.client, 'disk', '0.10');
  const owed = await eventually(
    'it is owed',
    async () => {
      const debt = parseMoney((await wallet()).debt);
      return debt > 0n ? debt : undefined;
    },
    PATIENCE_MS,
  );
  await pay('1');
  const left = parseMoney((await wallet()).debt);
  expect(left).toBeGreaterThan(0n);
  expect(owed - left).toBeLessThanOrEqual(parseMoney('1'));
  expect(dev.last.status.phase).toBe('shutDown');
  for (let debt = left; debt > 0n; debt = parseMoney((await wallet()).debt))
    await pay(debt > MOST ? '9000' : `${debt / 1_000_000n + 100n}`);
  await dev.reaches('running', PATIENCE_MS);
  expect(await dev.sh('cat /root/notes')).toBe('kept');
  expect((await wallet()).debt).toBe('0.00');
});

test('money goes back: staff refund a part, the provider another, and a dispute is won; the wallet and the transaction say so', async () => {
  const id = await pay('60');
  const usedBefore = await used();
  const { cash: before } = await ann.client.must(WALLET_ROUTES.balances);
  const params = { id };
  const body = { amount: '20', reason: 'asked for' };
  const { state } = await staff.client.must(PAYMENT_STAFF_ROUTES.adminRefundPayment, { params, body });
  expect(state).toBe('done');
  const intent = double.all('payment_intent').find(({ metadata }) => metadata.gantry_payment === id)?.id;
  double.refundByHand(intent, 1000);
  const shows = (refunded: string, chargedBack: string) =>
    eventually(
      `${refunded} refunded and ${chargedBack} charged back`,
      async () => {
        const [bill] = await ann.client.must(DOCUMENT_ROUTES.listTransactions, { query: { search: id } });
        return bill?.refunded_amount === refunded && bill.charged_back_amount === chargedBack && bill.status === 'paid';
      },
      PATIENCE_MS,
    );
  await shows('30.00', '0.00');
  double.dispute(intent, 'needs_response');
  await shows('30.00', '60.00');
  double.dispute(intent, 'won');
  await shows('30.00', '0.00');
  const { cash: after } = await ann.client.must(WALLET_ROUTES.balances);
  // The running instance is billed meanwhile, and nothing else.
  const gone = parseMoney(before) - parseMoney(after);
  expect(gone).toBeGreaterThanOrEqual(parseMoney('30'));
  expect(gone).toBeLessThanOrEqual(parseMoney('30') + ((await used()) - usedBefore));
});

/** The total of all usage bills. */
async function used(): Promise<bigint> {
  const { rows } = await sql.query<{ total: string }>(
    `select coalesce(sum(total), 0)::text as total from bills where type in ('consumption', 'order_consumption')`,
  );
  return BigInt(rows[0]?.total ?? 0);
}

test('one command proves the books', async () => {
  const { code, stdout, stderr } = await runCommand(process.execPath, [
    'api/src/main.ts',
    'books',
    'verify',
    `--database-url=${databaseUrl}`,
    ...(await gatewayFlags(stage().cluster)),
  ]);
  expect({ code, said: `${stdout}${stderr}` }).toMatchObject({ code: 0, said: expect.stringContaining(' 0 faults') });
});

const pay = (amount: string): Promise<string> => topUp(ann.client, double.url, amount);
