// Joins the parts of money: the books, prices, metering, the credit gate, payments and documents. Background work is one
// gateway's turn at a time.
import type { Feature } from '@gantry/contract/features.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';
import { type Clock, repeatedly } from '@gantry/kube/clock.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type Config, readText } from '../../platform/config.ts';
import type { Database } from '../../platform/db/open.ts';
import { Turn } from '../../platform/db/turn.ts';
import type { MessageStore } from '../../platform/messages/message-store.ts';
import type { Notify } from '../identity/organizations/notify-payers.ts';
import type { BilledObject } from '../kinds/billed-objects.ts';
import type { Cluster } from '../kinds/open-cluster.ts';
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
import { limitsOf } from './payments/limits.ts';
import { channelsOf, type OpenPayments, openPayments } from './payments/open-payments.ts';
import { openPrices, type Prices, type PricesParts } from './prices/open-prices.ts';
import { countedPlan } from './prices/plan-state.ts';
import { burnOf, type HourlyPrice, priceOf } from './prices/price-of.ts';
import { Tariffs } from './prices/tariffs.ts';
import { grantWelcome } from './welcome.ts';

export interface BillingParts {
  db: Database;
  clock: Clock;
  log: Logger;
  /** Its caches are filled. */
  cluster: Pick<Cluster, 'billed' | 'cache' | 'client' | 'kinds'>;
  registry: Registry;
  messages: Pick<MessageStore, 'send' | 'wake'>;
  notify: Notify;
  /** The configuration as it is now: staff change some of it at run time. */
  now(): Config;
  isOpen(feature: Feature): boolean;
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

const WELCOME_MS = 1_000;
const INVOICES_MS = 60_000;
const CREDIT_NOTES_MS = 10_000;
const PLANS_MS = 60_000;
const APPROVALS_MS = 10_000;
const LOOK_MS = 2_000;
const RELEASE_MS = 1_000;

/** Resolves once prices are at hand. */
export async function openBilling(config: Config, parts: BillingParts): Promise<Billing> {
  const { db, clock, log, cluster, registry, messages, notify } = parts;
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
    tell,
  });
  const payments = openPayments({
    db,
    clock,
    log,
    wallets,
    channels: paymentChannels(config, { clock, log }),
    limits: { get: (currency) => limitsOf(parts.now().rechargeLimits).get(currency) },
    mayCharge: () => parts.isOpen('topUps'),
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
      ...parts.otherWays,
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
        return parts.now().lowBalanceHours;
      },
      get keepDataDays() {
        return parts.now().keepDataDays;
      },
    },
  });
  await tariffs.start();
  cluster.kinds.priceBy(prices.views);
  if (config.billing === 'on') cluster.kinds.payBy(gate.ask);

  const amounts = {
    get welcome_credit() {
      return parts.now().welcomeCredit;
    },
    organization_adopted: config.adoptedCredit,
  };

  /** Again and again until the signal; what fails is tried again with the next round. */
  const every = (ms: number, what: string, work: () => Promise<unknown>, signal: AbortSignal): Promise<void> =>
    repeatedly({ clock, ms, signal }, work, (error) => log.warn({ err: error }, `${what}: it is tried again`));
  const turn = new Turn({ db, clock, log }, 'billing');
  const round = async (signal: AbortSignal): Promise<void> => {
    const work = [
      books.keep(signal),
      every(
        WELCOME_MS,
        'credits for those who are new',
        () => grantWelcome({ db, clock, wallets, amounts, log }),
        signal,
      ),
      every(INVOICES_MS, 'closing of months', () => documents.invoices.closeDue(clock.now()), signal),
      every(CREDIT_NOTES_MS, 'issue of credit notes', () => documents.creditNotes.issueDue(), signal),
      every(APPROVALS_MS, 'what was approved', () => approvals.carryOn(), signal),
      every(PLANS_MS, 'renewal of plans', () => prices.plans.renewDue(clock.now()), signal),
      ...(config.billing === 'on'
        ? [
            metering.run(signal),
            gate.run(signal),
            every(LOOK_MS, 'changes of caps and holds', () => gate.lookAround(), signal),
          ]
        : [every(RELEASE_MS, 'release of what is deleted', () => releaseLeft(cluster.billed, log), signal)]),
    ];
    await Promise.all(work);
  };
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

/** The channels that are fully configured. Throws BadConfig. */
function paymentChannels(config: Config, parts: Parameters<typeof channelsOf>[1]) {
  const network = (url: string, merchant: string, keyFile: string) => ({ url, merchant, key: readText(keyFile) });
  const settings = {
    ...config,
    stripeKey: readText(config.stripeKeyFile),
    stripeWebhookSecret: readText(config.stripeWebhookSecretFile),
    networks: {
      wallet_a: network(config.walletAUrl, config.walletAMerchant, config.walletAKeyFile),
      wallet_b: network(config.walletBUrl, config.walletBMerchant, config.walletBKeyFile),
      domestic_card: network(config.domesticCardUrl, config.domesticCardMerchant, config.domesticCardKeyFile),
    },
  };
  try {
    return channelsOf(settings, parts);
  } catch (error) {
    throw new BadConfig(`a key of a payment channel is not right: ${(error as Error).message}`);
  }
}
