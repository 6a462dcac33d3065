// Handles a rented host: its months are planned, charged when due, and held in advance. `decide-rental.ts` decides; this file
// reads and charges.
import { CREDIT_SENTENCES } from '@gantry/contract/billing/credit-sentences.ts';
import { hostCapOf, namingPlan } from '@gantry/contract/billing/plans.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { said } from '@gantry/contract/said.ts';
import { rentalPrice } from '../prices/rate.ts';
import { type Decision, RETRY_MS } from './decide.ts';
import { decideRental } from './decide-rental.ts';
import { chargeOrders, paidMonths } from './orders.ts';
import type { Billed, GateParts, Verdict } from './parts.ts';
import { hostsBefore, planRental } from './rental.ts';

/** Charges the months that are due, or says what is to be held for the next ones. */
export async function decideHost(parts: GateParts, billed: Billed, now: number): Promise<Decision> {
  const { tariffs, wallets, db, settings } = parts;
  const host = billed.object as unknown as GpuHost;
  const [use] = billed.facts.cost.desired(billed.object);
  const tariff = { ...tariffs.of(billed.organizationId), region: billed.region };
  const price = use && rentalPrice({ ...use, quantity: 1 }, 1, tariff, now);
  if (!use || !price) {
    const what = [use?.resource ?? 'hosts', use?.model ?? ''].join(' ').trimEnd();
    const condition: Verdict = { status: 'False', reason: 'NoPrice', ...said(CREDIT_SENTENCES.noPrice, { what }) };
    return { do: 'refuse', condition, againAt: now + RETRY_MS };
  }
  const plan = planRental(host, await paidMonths(db, billed.uid), price, now);
  if (plan.orders.length > 0) {
    await chargeOrders(parts, billed, plan.orders, price);
    // Months that are paid now no longer need a hold.
    return { do: 'wait', againAt: now };
  }
  const held = (await wallets.holdsOf(billed.organizationId)).find(({ subject }) => subject === billed.uid)?.amount;
  const isMore = plan.paidUntil === undefined || plan.hold > 0n;
  const beyond = isMore ? await beyondPlan(parts, billed) : undefined;
  return decideRental(billed, plan, { now, holdAheadMs: settings.holdAheadMs, held, beyond });
}

/** A plan's number of hosts: those that were asked for first have them. */
async function beyondPlan(parts: GateParts, billed: Billed): Promise<Verdict | undefined> {
  const plan = await parts.planOf(billed.organizationId);
  if (plan === undefined) return undefined;
  const cap = hostCapOf(plan);
  const hosts = parts.cluster
    .ofOrganization(billed.organizationId)
    .filter(({ facts, object }) => facts.cost.source === 'host_rent' && object.metadata.deletionTimestamp === undefined)
    .map(({ object }) => object as unknown as GpuHost);
  const before = hostsBefore(hosts, billed.object as unknown as GpuHost);
  if (before < cap) return undefined;
  const args = { ...namingPlan(plan), cap: `${cap}`, before: `${before}` };
  return { status: 'False', reason: 'PlanLimit', ...said(CREDIT_SENTENCES.planHosts, args) };
}
