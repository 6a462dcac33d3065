// Money that staff give an organisation, or take back. The transfer records who did it and why; so does the audit log. The bill,
// which the organisation reads, contains neither.
import { type Micros, parseMoney } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Sql } from '../../../platform/db/open.ts';
import { newId } from '../../../platform/ids.ts';
import type { Wallets } from '../ledger/wallets.ts';
import type { Approved } from './gifts.ts';

export interface StaffTransfer {
  /** The same for a call that is repeated: it happens once. */
  key: string | undefined;
  organizationId: string;
  kind: 'grant' | 'adjust';
  /** Decimal; below zero takes back. */
  amount: string;
  of: 'cash' | 'credits';
  /** The account of the staff member. */
  by: string;
  reason: string;
  /** By whom, of a transfer that needed a second person. */
  approved?: Approved | undefined;
}

/** The amount. Throws transfer_rule for an invalid combination. */
export function requireTransferRule({ kind, amount: text, of }: Pick<StaffTransfer, 'kind' | 'amount' | 'of'>): Micros {
  const amount = parseMoney(text);
  const isGrant = kind === 'grant';
  if (isGrant ? amount <= 0n : of === 'credits' && amount > 0n)
    throw problem('transfer_rule', {}, { field: isGrant ? 'amount' : 'of' });
  return amount;
}

export class Transfers {
  readonly #parts: { clock: Clock; wallets: Pick<Wallets, 'grant' | 'adjust'> };

  constructor(parts: { clock: Clock; wallets: Pick<Wallets, 'grant' | 'adjust'> }) {
    this.#parts = parts;
  }

  /**
   * Throws wallet_short if the free money does not suffice, transfer_rule for an invalid combination, and what `check` throws: it
   * runs under the wallet's lock, for a new transfer alone, and sees it under `key`.
   */
  async make(
    { key: requestKey, approved, ...wish }: StaffTransfer,
    check?: (tx: Sql, key: string) => Promise<void>,
  ): Promise<void> {
    const { clock, wallets } = this.#parts;
    const { organizationId, kind, of, by, reason } = wish;
    const amount = requireTransferRule(wish);
    const key = `staff/${requestKey ?? newId('mov')}`;
    const move = {
      key,
      organizationId,
      amount,
      at: new Date(clock.now()),
      memo: { by, reason, ...approved },
      check: check && ((tx: Sql) => check(tx, key)),
      bill: { id: key, reference: `Organization/${organizationId}`, detail: 'Staff' },
    };
    if (kind === 'grant') await wallets.grant(move);
    else await wallets.adjust({ ...move, of });
  }
}
