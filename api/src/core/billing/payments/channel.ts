// The interface of a way to pay. A provider's object is the truth about a payment: any trigger (a webhook, a callback, a
// returning customer, the clock) only makes us read it again, so the order of triggers is irrelevant.
import type { PaymentChannel } from '@gantry/contract/billing/bill.ts';
import type { PaymentFailure } from '@gantry/contract/billing/payments.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';

export type ChannelName = Exclude<PaymentChannel, 'balance'>;

/** A payment, as a channel receives it. */
export interface Order {
  readonly id: string;
  readonly organizationId: string;
  readonly amount: Micros;
  readonly currency: string;
  /** Absent until the provider has answered once. */
  readonly providerId: string | undefined;
  /** For the card channel: the customer, and the card; without one the page asks for it. */
  readonly customerId: string | undefined;
  readonly method: string | undefined;
  /** Whether somebody is there to confirm it. */
  readonly isAttended: boolean;
  readonly createdAt: Date;
  /** Kept between calls: a bank's reference. */
  readonly next: Readonly<Record<string, string>>;
}

/** The data with which the customer continues. Never stored and never logged: it may hold a provider's client secret. */
export interface NextStep {
  type: 'card' | 'redirect' | 'transfer';
  client_secret?: string;
  publishable_key?: string;
  url?: string;
  reference?: string;
  account?: string;
}

/** How a payment stands at the provider. */
export type PaymentStatus =
  /** The provider has never heard of it. */
  | { state: 'unknown' }
  /** For somebody to confirm. `keep`: what of it is no secret and has to be shown again. */
  | { state: 'waits'; providerId: string | undefined; next: NextStep; keep?: Record<string, string> }
  | { state: 'processing'; providerId: string }
  | { state: 'paid'; providerId: string; amount: Micros; currency: string }
  | { state: 'failed'; providerId: string | undefined; failure: PaymentFailure };

export interface RefundOrder {
  readonly id: string;
  readonly payment: Order;
  readonly amount: Micros;
  readonly providerId: string | undefined;
}

export type RefundStatus =
  | { state: 'unknown' }
  | { state: 'processing'; providerId: string }
  | { state: 'done'; providerId: string | undefined }
  | { state: 'failed'; providerId: string | undefined; failure: PaymentFailure };

/** A cardholder's bank disputes a payment. */
export interface Dispute {
  readonly providerId: string;
  /** In the provider's words: `needs_response`, `won`, `lost`, `warning_…` for one that moves no money. */
  readonly status: string;
  /** How much of the payment the bank has taken back now, in the payment's currency: nothing before, and nothing once it is won. */
  readonly taken: Micros;
  /** The provider's current fee for the dispute, in the settlement currency. */
  readonly fee: Micros;
  readonly feeCurrency: string;
}

/** A refund as the provider has it, whoever made it. */
export interface ProviderRefund {
  readonly providerId: string;
  /** Our id of it, where we asked for it. */
  readonly ours: string | undefined;
  readonly amount: Micros;
  readonly hasFailed: boolean;
}

/** The subject of a verified webhook or callback: nothing else that it says is trusted. */
export interface Heard {
  /** The event's id: it counts once. */
  id: string;
  type: string;
  /** Ours, or the provider's id of a payment. */
  payment?: string | undefined;
  /** Ours, or the provider's id of a refund. */
  refund?: string | undefined;
  /** The provider's id of a card, or of its being added. */
  method?: string | undefined;
  /** Money of the payment may have gone back: its disputes and refunds are read. */
  isReversal?: boolean | undefined;
}

export interface RawCallback {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  method: string;
  /** As signed: below our root. */
  path: string;
  body: Buffer;
}

export interface MethodFacts {
  providerId: string;
  brand: string;
  last4: string;
  /** MM/YYYY. */
  expires: string;
}

/** For channels whose provider stores cards. No card number ever reaches this process. */
export interface CardKeeper {
  /** Returns the provider's id of the organisation as its customer. The same for the same organisation. */
  customer(organizationId: string): Promise<string>;
  /** The page continues with the result; the card's data go from there to the provider. */
  begin(methodId: string, customerId: string): Promise<{ setupId: string; next: NextStep }>;
  /** How the adding of a card stands; `failed` says why. */
  look(
    setupId: string,
    customerId: string,
  ): Promise<
    { state: 'waits' } | { state: 'added'; method: MethodFacts } | { state: 'failed'; failure: PaymentFailure }
  >;
  /** Undefined once it is no longer the customer's. */
  read(providerId: string, customerId: string): Promise<MethodFacts | undefined>;
  setDefault(customerId: string, providerId: string): Promise<void>;
  /** Done twice, it is done. */
  detach(providerId: string): Promise<void>;
}

export interface Channel {
  readonly name: ChannelName;
  /** No money moves: the provider plays. */
  readonly isTest: boolean;
  readonly publishableKey: string | undefined;
  /** The script of the form in which pages take cards. */
  readonly scriptUrl: string | undefined;
  /** Starts it, or finds it started: one order is one payment at the provider, however often this is called. */
  begin(order: Order): Promise<PaymentStatus>;
  look(order: Order): Promise<PaymentStatus>;
  /** Calls it off unless money is on its way; says how it stands then. */
  giveUp(order: Order): Promise<PaymentStatus>;
  /** The same for the same order. */
  refund(order: RefundOrder): Promise<RefundStatus>;
  lookRefund(order: RefundOrder): Promise<RefundStatus>;
  /** All disputes and refunds of a payment. Absent: nothing goes back without us. */
  reversals?(order: Order): Promise<{ disputes: readonly Dispute[]; refunds: readonly ProviderRefund[] }>;
  /** News about money that went back since then, in any order: what webhooks reported, or should have. */
  news?(since: Date): AsyncIterable<Heard>;
  /** Throws BadSignature. Absent: nobody calls us. Undefined: about nothing of ours. */
  hear?(raw: RawCallback): Heard;
  readonly cards?: CardKeeper;
}

/** The outcome of the call is unknown: it is looked up later. Carries nothing that the provider said. */
export class ChannelAway extends Error {
  override readonly name = 'ChannelAway';
}

/** A webhook that is not signed as it must be, or too long ago. */
export class BadSignature extends Error {
  override readonly name = 'BadSignature';
}
