// The gateway's /v1 in a process of its own, with one model and with its real books in PostgreSQL. Arguments: the database, its port, the
// engines' port. SIGTERM ends it in good order. Writes `ready`.
import { createServer } from 'node:http';
import { tokenSku } from '@gantry/contract/billing/token-prices.ts';
import { micros } from '@gantry/contract/fields/money.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import pino from 'pino';
import { openCompletions } from '../../api/src/areas/inference/open.ts';
import { Ledger } from '../../api/src/core/billing/ledger/ledger.ts';
import { Wallets } from '../../api/src/core/billing/ledger/wallets.ts';
import { Discounts, PriceTable } from '../../api/src/core/billing/prices/price-table.ts';
import type { Core } from '../../api/src/core/open.ts';
import { openDatabase } from '../../api/src/platform/db/open.ts';
import type { Caller } from '../../api/src/platform/http/caller.ts';
import { Metrics } from '../../api/src/platform/http/metrics.ts';
import type { Platform } from '../../api/src/platform/open.ts';
import { tinyModel } from '../support/relay-parts.ts';

const [url = '', port = '', engines = ''] = process.argv.slice(2);
const caller = {
  account: { id: 'acc-bench', name: 'bench', email: null, locale: 'en', platformRoles: [] },
  organization: { id: 'acme', role: 'member', namespace: 'org-acme' },
  session: { id: 'tok-bench', kind: 'apiToken', scopes: ['view', 'use'], expiresAt: 9e15 },
} as unknown as Caller;
const price = (part: 'prompt' | 'completion', amount: bigint, id: bigint) => ({
  ...{ id, sku: tokenSku(part, 'any'), region: '*', currency: 'USD', validFrom: 0 },
  amount: micros(amount),
});
const tariff = {
  prices: new PriceTable([price('prompt', 333_333n, 1n), price('completion', 1_234_567n, 2n)]),
  discounts: new Discounts([]),
  ...{ region: 'us-east', currency: 'USD', organizationId: 'acme' },
};

const db = await openDatabase({ url });
const wallets = new Wallets({ db, clock: systemClock, ledger: new Ledger({ db, clock: systemClock }) });
const platform = {
  config: { billing: 'on', serviceNetwork: 'direct', modelOrigins: [] },
  db,
  limits: { mayTry: async () => {}, known: () => {}, inVain: async () => {} },
  addressOf: () => '127.0.0.1',
  metrics: new Metrics(),
  clock: systemClock,
  log: pino({ level: 'error' }, process.stderr),
} as unknown as Platform;
const core = {
  authenticate: async () => caller,
  cluster: { cache: { on: () => () => {}, list: () => [], get: () => undefined } },
  billing: { wallets, tariffs: { of: () => tariff } },
} as unknown as Core;
const gateway = openCompletions(platform, core, {}, () => true);
const worker = (at: number) => ({ name: `tiny-${at}`, podIP: `127.0.0.${at}`, phase: 'ready' });
gateway.models.show(tinyModel({ port: Number(engines), workers: [worker(1), worker(2)] }));
gateway.start();
let isStopping = false;
const front = createServer((req, res) => {
  // Kept alive, it would never be idle.
  if (isStopping) res.setHeader('connection', 'close');
  gateway.answer(req, res);
});
process.once('SIGTERM', () => {
  isStopping = true;
  front.close(async () => {
    await gateway.stop();
    await db.close();
    process.exit(0);
  });
  front.closeIdleConnections();
});
front.listen(Number(port), '127.0.0.1', () => console.log('ready'));
