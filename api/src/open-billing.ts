// Money, joined: the books, what things cost, what was used, who may use more, payments and documents. What has to go on by
// itself is one gateway's turn at a time.
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { isSettledIn } from './billing/documents/is-settled.ts';
import { type Documents, openDocuments } from './billing/documents/open-documents.ts';
import { Ledger } from './billing/ledger/ledger.ts';
import { Wallets } from './billing/ledger/wallets.ts';
import { Meter } from './billing/metering/meter.ts';
import { MeterController } from './billing/metering/meter-controller.ts';
import { MeteringMetrics } from './billing/metering/metering-metrics.ts';
import { openPrices, type Prices, type PricesParts } from './billing/prices/open-prices.ts';
import { Tariffs } from './billing/prices/tariffs.ts';
import { grantWelcome } from './billing/welcome.ts';
import type { Config } from './config.ts';
import type { Database } from './db/open.ts';
import { Turn } from './db/turn.ts';
import { hostCaps } from './host-caps.ts';
import type { Cluster } from './kube/open-cluster.ts';
import type { MessageStore } from './messages/message-store.ts';

export interface BillingParts {
  db: Database;
  clock: Clock;
  log: Logger;
  /** Its caches are filled. */
  cluster: Pick<Cluster, 'billed' | 'cache' | 'client' | 'kinds'>;
  registry: Registry;
  messages: Pick<MessageStore, 'send' | 'wake'>;
}

export interface Billing {
  wallets: Wallets;
  tariffs: Tariffs;
  meter: Meter;
  documents: Documents;
  prices: Prices;
  /** Begins what goes on by itself. */
  start(): void;
  stop(): Promise<void>;
}

const WELCOME_MS = 1_000;
const INVOICES_MS = 60_000;
const PLANS_MS = 60_000;

/** Resolves once prices are at hand. */
export async function openBilling(config: Config, parts: BillingParts): Promise<Billing> {
  const { db, clock, log, cluster, registry, messages } = parts;
  const ledger = new Ledger({ db, clock });
  const wallets = new Wallets({ db, clock, ledger });
  const tariffs = new Tariffs({ db, clock, region: config.region, currency: config.currency, log });
  const meter = new Meter({ db, clock, log, wallets, tariffs, metrics: new MeteringMetrics(registry) });
  const metering = new MeterController({
    objects: cluster.billed,
    meter,
    clock,
    log,
    onPrices: (listener) => tariffs.on(listener),
    staleSince: () => cluster.cache.staleSince(),
  });
  const documents = openDocuments({
    db,
    clock,
    log,
    wallets,
    isSettled: isSettledIn(db),
    tell: (notice, audience, within) => messages.send(notice, audience, within),
    told: () => messages.wake(),
  });
  const tell: PricesParts['tell'] = (notice, audience) => messages.send(notice, audience);
  const prices = openPrices({ db, clock, log, tariffs, wallets, hosts: hostCaps(cluster), tell });
  await tariffs.start();
  cluster.kinds.priceBy(prices.views);

  const amounts = { welcome_credit: config.welcomeCredit, organization_adopted: config.adoptedCredit };

  /** Again and again until the signal; what fails is tried again with the next round. */
  const every = async (ms: number, what: string, work: () => Promise<unknown>, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await work().catch((error: unknown) => log.warn({ err: error }, `${what}: it is tried again`));
      await pause(clock, ms, signal);
    }
  };
  const turn = new Turn({ db, clock, log }, 'billing');
  const round = async (signal: AbortSignal): Promise<void> => {
    const work = [
      every(WELCOME_MS, 'credits for those who are new', () => grantWelcome({ db, clock, wallets, amounts }), signal),
      every(INVOICES_MS, 'closing of months', () => documents.invoices.closeDue(clock.now()), signal),
      every(PLANS_MS, 'renewal of plans', () => prices.plans.renewDue(clock.now()), signal),
      ...(config.billing === 'on' ? [metering.run(signal)] : []),
    ];
    await Promise.all(work);
  };
  return {
    wallets,
    tariffs,
    meter,
    documents,
    prices,
    start: () => turn.start(round),
    async stop() {
      await turn.stop();
      tariffs.stop();
    },
  };
}
