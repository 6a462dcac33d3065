// Bank transfer: the provider is a staff member, who sees the money on the bank statement and confirms it. The payer puts a
// reference on it.
import { createHash } from 'node:crypto';
import type { Channel, Order, PaymentStatus, RefundOrder, RefundStatus } from './channel.ts';

/** Without letters and digits that look like others. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

export class TransferChannel implements Channel {
  readonly name = 'bank_transfer';
  readonly isTest = false;
  readonly publishableKey = undefined;
  readonly scriptUrl = undefined;
  readonly #account: string;

  /** `account`: where to, as people are shown it. */
  constructor(account: string) {
    this.#account = account;
  }

  async begin(order: Order): Promise<PaymentStatus> {
    return this.#status(order);
  }

  async look(order: Order): Promise<PaymentStatus> {
    return this.#status(order);
  }

  async giveUp({ providerId }: Order): Promise<PaymentStatus> {
    return { state: 'failed', providerId, failure: 'given_up' };
  }

  /** The staff member who requests it sends the money back at the bank. */
  async refund({ id }: RefundOrder): Promise<RefundStatus> {
    return { state: 'done', providerId: id };
  }

  async lookRefund({ id }: RefundOrder): Promise<RefundStatus> {
    return { state: 'done', providerId: id };
  }

  #status({ id }: Order): PaymentStatus {
    const reference = referenceOf(id);
    return {
      state: 'waits',
      providerId: reference,
      next: { type: 'transfer', reference, account: this.#account },
      keep: { reference },
    };
  }
}

/** `GT-7K3M-9QXA-…`: the same for the same payment, with a check against a letter that was read wrongly. */
export function referenceOf(paymentId: string): string {
  const bytes = createHash('sha256').update(paymentId).digest();
  const text = [...bytes.subarray(0, 11)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  const check =
    ALPHABET[[...text].reduce((sum, letter, at) => sum + (at + 1) * ALPHABET.indexOf(letter), 0) % ALPHABET.length];
  return `GT-${`${text}${check}`.replace(/(.{4})(?=.)/g, '$1-')}`;
}
