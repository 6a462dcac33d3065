// The gate's parts, joined: what follows the cluster while it is this gateway's turn, and what routes ask at any time.

import type { CapsView } from '@gantry/contract/areas/billing/wallet.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { writeCaps } from './caps.ts';
import { readCapsView } from './caps-view.ts';
import { CreditGate } from './credit-gate.ts';
import { CreditStatuses } from './credit-status.ts';
import { MoneyChecks } from './money-checks.ts';
import type { GateParts } from './parts.ts';

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
  const { db } = parts;
  let running: { gate: CreditGate; creditStatuses: CreditStatuses } | undefined;
  const moneyMoved = (organizationId: string) => {
    running?.gate.moneyMoved(organizationId);
    running?.creditStatuses.look(organizationId);
  };
  const checks = new MoneyChecks(parts);
  return {
    checks,
    async ask({ namespace, account }, request) {
      const organizationId = organizationOf(namespace);
      if (organizationId !== undefined) await checks.mustBeAffordable({ organizationId, accountId: account }, request);
    },
    caps: (organizationId) => readCapsView(parts, organizationId),
    async setCaps(organizationId, change) {
      await writeCaps(db, organizationId, change);
      await running?.gate.lookAtCaps();
      moneyMoved(organizationId);
      return readCapsView(parts, organizationId);
    },
    moneyMoved,
    async lookAround() {
      await running?.gate.lookAtCaps();
      await running?.gate.lookAtHolds();
    },
    async run(signal) {
      running = { gate: new CreditGate(parts), creditStatuses: new CreditStatuses(parts) };
      await Promise.all([running.gate.run(signal), running.creditStatuses.run(signal)]);
      running = undefined;
    },
  };
}
