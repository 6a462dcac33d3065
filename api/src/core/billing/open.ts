// Joins the parts of money: the books, prices, metering, the credit gate, payments and documents. Background work is one
// gateway's turn at a time.
import type { Micros } from '@gantry/contract/fields/money.ts';
import { Turn } from '../../platform/db/turn.ts';
import type { Messages } from '../../platform/messages/open.ts';
import type { Platform } from '../../platform/open.ts';
import type { Notify } from '../identity/organizations/notify-payers.ts';
import type { BilledObject } from '../kinds/billed-objects.ts';
import type { Cluster } from '../kinds/open-cluster.ts';
import { billingRound } from './billing-round.ts';
import { isSettledIn } from './documents/is-settled.ts';
import { type Documents, openDocuments } from './documents/open-documents.ts';
import { type OpenGate, openGate } from './gate/open-gate.ts';
import { isCharged } from './gate/orders.ts';
import { Approvals, approvalAmounts } from './giving/approvals.ts';
import type { Ways } from './giving/gifts.ts';
import { Transfers } from './giving/transfers.ts';
import { moneyWays } from './giving/ways.ts';
import { hostCaps } from './host-caps.ts';
import { Books } from './ledger/books.ts';
import { Ledger } from './ledger/ledger.ts';
import { Proofs } from './ledger/proofs.ts';
import { Wallets } from './ledger/wallets.ts';
import { Meter } from './metering/meter.ts';
import { MeterController } from './metering/meter-controller.ts';
import { MeteringMetrics } from './metering/metering-metrics.ts';
import { releaseLeft } from './metering/release.ts';
import { paymentChannels } from './payments/channels-of.ts';
import { limitsOf } from './payments/limits.ts';
import { type OpenPayments, openPayments } from './payments/open-payments.ts';
import { pricedStock } from './priced-stock.ts';
import { openPrices, type Prices, type PricesParts } from './prices/open-prices.ts';
import { countedPlan } from './prices/plan-state.ts';
import { burnOf, type HourlyPrice, priceOf } from './prices/price-of.ts';
import { Tariffs } from './prices/tariffs.ts';
import { grantWelcome } from './welcome.ts';

/** What the rest of the core is to money. */
interface Around {
  notify: Notify;
  /** Its caches are filled. */
  cluster: Pick<Cluster, 'billed' | 'cache' | 'client' | 'kinds'>;
  messages: Pick<Messages, 'store'>;
  /** The configuration as it is now, which staff change at run time, and the features that they close. */
  operation: { config(): Platform['config']; state: { closed(feature: 'topUps'): object | undefined } };
  /** Ways of giving value that other areas have. */
  otherWays: Pick<Ways, 'node' | 'setting'>;
}

export interface Billing {
  /** The present price of an object by the hour. */
  priceOf(one: BilledObject): HourlyPrice;
  /** The present price by the hour of everything that an organisation uses. */
  burnOf(organizationId: string): Micros;
  wallets: Wallets;
  tariffs: Tariffs;
  meter: Meter;
  documents: Documents;
  approvals: Approvals;
  proofs: Proofs;
  prices: Prices;
  payments: OpenPayments;
  gate: OpenGate;
  /** Starts the background work. */
  start(): void;
  stop(): Promise<void>;
}

/** Resolves once prices are at hand. */
export async function openBilling(
  { config, db, clock, log, metrics }: Pick<Platform, 'config' | 'db' | 'clock' | 'log' | 'metrics'>,
  { cluster, messages: { store: messages }, notify, operation, otherWays }: Around,
): Promise<Billing> {
  const { registry } = metrics;
  const ledger = new Ledger({ db, clock });
  const wallets = new Wallets({ db, clock, ledger });
  const books = new Books({ db, clock, log, registry });
  const proofs = new Proofs({ db, clock, log });
  const tariffs = new Tariffs({ db, clock, region: config.region, currency: config.currency, log });
  const meter = new Meter({
    ...{ db, clock, log, wallets, tariffs },
    metrics: new MeteringMetrics(registry),
    isAbandoned: (one) => cluster.billed.isAbandoned(one),
  });
  wallets.countUse(meter.readUse);
  const metering = new MeterController({
    objects: cluster.billed,
    meter,
    clock,
    log,
    onPrices: (listener) => tariffs.on(listener),
    staleSince: () => cluster.cache.staleSince(),
    knownTo: () => tariffs.knownTo(),
    isCharged: (billed) => isCharged({ db, clock }, billed),
  });
  const documents = openDocuments({
    db,
    clock,
    log,
    isSettled: isSettledIn(db),
    issuer: { legalName: config.issuerName, address: config.issuerAddress, taxId: config.issuerTaxId },
    tell: (notice, audience, within) => messages.send(notice, audience, within),
    onNotified: () => messages.wake(),
  });
  const tell: PricesParts['tell'] = (notice, audience) => messages.send(notice, audience);
  const prices = openPrices({
    db,
    clock,
    log,
    tariffs,
    currency: config.currency,
    wallets,
    hosts: hostCaps(cluster),
    stock: pricedStock(cluster),
    tell,
  });
  const payments = openPayments({
    db,
    clock,
    log,
    wallets,
    channels: paymentChannels(config, { clock, log }),
    limits: { get: (currency) => limitsOf(operation.config().rechargeLimits).get(currency) },
    mayCharge: () => operation.state.closed('topUps') === undefined,
    tell: (notice) =>
      void db
        .transaction((tx) => notify(tx, notice))
        .then(() => messages.wake())
        .catch((error: unknown) => log.error({ err: error, notice: notice.key }, 'who pays could not be told')),
  });
  const approvals = new Approvals({
    db,
    clock,
    log,
    above: approvalAmounts(config.approvalAbove),
    ways: {
      ...moneyWays({
        ...{ db, clock, wallets, payments, prices, tariffs, currency: config.currency },
        transfers: new Transfers({ clock, wallets }),
      }),
      ...otherWays,
    },
  });
  const gate = openGate({
    db,
    clock,
    log,
    cluster: cluster.billed,
    wallets,
    tariffs,
    meter,
    planOf: async (organizationId) => countedPlan(await prices.plans.of(organizationId)),
    planCharge: (organizationId) => prices.plans.nextCharge(organizationId),
    notify,
    settings: {
      holdAheadMs: config.holdAhead,
      get lowHours() {
        return operation.config().lowBalanceHours;
      },
      get keepDataDays() {
        return operation.config().keepDataDays;
      },
    },
  });
  await tariffs.start();
  cluster.kinds.priceBy(prices.views);
  if (config.billing === 'on') cluster.kinds.payBy(gate.ask);

  const amounts = {
    get welcome_credit() {
      return operation.config().welcomeCredit;
    },
    organization_adopted: config.adoptedCredit,
  };

  const turn = new Turn({ db, clock, log }, 'billing');
  const round = billingRound({
    ...{ clock, log, books, documents, approvals, prices, metering, gate },
    isBilled: config.billing === 'on',
    welcome: () => grantWelcome({ db, clock, wallets, amounts, log }),
    release: () => releaseLeft(cluster.billed, log),
  });
  return {
    priceOf: (one) => priceOf(tariffs, one, clock.now()),
    burnOf: (organizationId) => burnOf({ cluster: cluster.billed, tariffs }, organizationId, clock.now()),
    wallets,
    tariffs,
    meter,
    documents,
    approvals,
    proofs,
    prices,
    payments,
    gate,
    start() {
      turn.start(round);
      payments.start();
    },
    async stop() {
      await payments.stop();
      await turn.stop();
      await proofs.stop();
      tariffs.stop();
    },
  };
}
