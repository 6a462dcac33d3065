// The gate's parts, joined: what follows the cluster while it is this gateway's turn, and what routes ask at any time.

import type { CapsView } from '@gantry/contract/areas/billing/wallet.ts';
import { type Micros, moneyText, ZERO } from '@gantry/contract/fields/money.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { monthStart, readCaps, spentThisMonth, writeCaps } from './caps.ts';
import { CreditGate } from './credit-gate.ts';
import { MoneyChecks } from './money-checks.ts';
import type { GateParts } from './parts.ts';
import { Standings } from './standing.ts';

export interface OpenGate {
  checks: MoneyChecks;
  /** For code that creates objects: throws the problem, with its numbers, if a request costs more than its maker may spend. */
  ask(
    writer: { namespace: string; account: string },
    request: Parameters<MoneyChecks['mustBeAffordable']>[1],
  ): Promise<void>;
  caps(organizationId: string): Promise<CapsView>;
  setCaps(organizationId: string, change: Parameters<typeof writeCaps>[2]): Promise<CapsView>;
  /** Called when an organisation's plan was changed. */
  moneyMoved(organizationId: string): void;
  /** Finds caps that another gateway changed, and holds that it cut. */
  lookAround(): Promise<void>;
  /** Follows the cluster, whose caches are filled, until the signal. */
  run(signal: AbortSignal): Promise<void>;
}

export function openGate(parts: GateParts): OpenGate {
  const { db, clock, wallets } = parts;
  let running: { gate: CreditGate; standings: Standings } | undefined;
  const moneyMoved = (organizationId: string) => {
    running?.gate.moneyMoved(organizationId);
    running?.standings.look(organizationId);
  };
  const caps = async (organizationId: string): Promise<CapsView> => {
    const now = clock.now();
    const [known, spent, { currency }] = [
      await readCaps(db.sql, organizationId),
      await spentThisMonth(db.sql, organizationId, now),
      await wallets.balances(organizationId),
    ];
    const accounts = new Set([...known.members.keys(), ...spent.by.keys()].filter((account) => account !== ''));
    const textOf = (amount: Micros | undefined) => (amount === undefined ? null : moneyText(amount));
    return {
      currency,
      month: monthStart(now).toISOString().slice(0, 7),
      organization: { cap: textOf(known.organization), spent: moneyText(spent.all) },
      members: [...accounts].sort().map((account) => ({
        account_id: account,
        cap: textOf(known.members.get(account)),
        spent: moneyText(spent.by.get(account) ?? ZERO),
      })),
    };
  };
  const checks = new MoneyChecks(parts);
  return {
    checks,
    async ask({ namespace, account }, request) {
      const organizationId = organizationOf(namespace);
      if (organizationId !== undefined) await checks.mustBeAffordable({ organizationId, accountId: account }, request);
    },
    caps,
    async setCaps(organizationId, change) {
      await writeCaps(db, organizationId, change);
      await running?.gate.lookAtCaps();
      moneyMoved(organizationId);
      return caps(organizationId);
    },
    moneyMoved,
    async lookAround() {
      await running?.gate.lookAtCaps();
      await running?.gate.lookAtHolds();
    },
    async run(signal) {
      running = { gate: new CreditGate(parts), standings: new Standings(parts) };
      await Promise.all([running.gate.run(signal), running.standings.run(signal)]);
      running = undefined;
    },
  };
}
