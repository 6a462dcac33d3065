// Each organisation's credit status: its condition InCredit, notices to its payers, once each, and the deletion of data that nobody
// pays for. Level-triggered per organisation; the transaction that sends a notice records it.
import { dividedRounded, leftText, type Micros, micros, neededText } from '@gantry/contract/fields/money.ts';
import { Problem } from '@gantry/contract/http/problem.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { TASK_KINDS } from '@gantry/contract/kinds/tasks.ts';
import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { transfers } from '../../../platform/db/schema/ledger.ts';
import { billingProfiles } from '../../../platform/db/schema/payments.ts';
import type { PayersNotice } from '../../identity/organizations/notify-payers.ts';
import { burnOf } from '../prices/price-of.ts';
import { Agenda } from './agenda.ts';
import { monthStart, readCaps, spentThisMonth } from './caps.ts';
import {
  type CreditStatus,
  lastsMs,
  levelsOf,
  nameUsed,
  nextLevelInMs,
  type Profile,
  planTelling,
  type Telling,
  verdictOf,
  type Warned,
} from './credit-status-rules.ts';
import { isReserved, RETRY_MS } from './decide.ts';
import type { Cap } from './may-spend.ts';
import { NOTICES } from './notices.ts';
import type { Billed, GateParts } from './parts.ts';
import { isOfDeleted } from './spendable-balance.ts';

/** Between two looks, whatever was predicted: prices, discounts and other gateways' payments come unannounced. */
const LEAST_LOOK_MS = 5_000;
const MOST_LOOK_MS = 60_000;
const HOUR_MS = 3_600_000n;

/** Rented hosts end by their own term; tasks and services keep nothing that costs while they rest. */
const WITHOUT_DATA: ReadonlySet<string> = new Set([
  gpuHost.kind,
  ...TASK_KINDS,
  containerService.kind,
  modelDeployment.kind,
]);

export class CreditStatuses {
  readonly #parts: GateParts;
  readonly #agenda: Agenda;
  /** As it was read last, and when. */
  readonly #known = new Map<string, { creditStatus: CreditStatus; at: number }>();
  /** Organisations in which only objects have changed since: their cost is known without asking the books. */
  readonly #onlyUse = new Set<string>();

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.#agenda = new Agenda({
      clock: parts.clock,
      work: async (organizationId) => new Map([[organizationId, { againAt: await this.#look(organizationId) }]]),
      laneOf: (organizationId) => organizationId,
      failed: (organizationId, error) =>
        parts.log.warn({ err: error, organizationId }, 'how an organisation stands is not known, and will be'),
    });
  }

  /** Follows the caches, which are filled, until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { cluster, wallets, tariffs } = this.#parts;
    const all = () => {
      for (const organizationId of cluster.organizations()) this.look(organizationId);
    };
    const off = [
      cluster.on(({ before, after }) => this.#changed(before, after)),
      cluster.onOrganization((organizationId) => this.look(organizationId)),
      wallets.on((organizationId, news) => {
        if (news === 'posted') this.look(organizationId);
      }),
      tariffs.on((concerned) => {
        if (!concerned) all();
        const known = new Set(cluster.organizations());
        for (const organizationId of concerned ?? []) if (known.has(organizationId)) this.look(organizationId);
      }),
    ];
    all();
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve());
    });
    for (const each of off) each();
    await this.#agenda.stop();
  }

  /** Called when an organisation's caps were changed. */
  look(organizationId: string): void {
    this.#onlyUse.delete(organizationId);
    this.#agenda.add(organizationId);
  }

  #changed(before: Billed | undefined, after: Billed | undefined): void {
    const { organizationId } = (after ?? before) as Billed;
    const wasStarved = before !== undefined && isStarved(before);
    if (wasStarved !== (after !== undefined && isStarved(after))) {
      this.look(organizationId);
      return;
    }
    const used = (billed?: Billed) => JSON.stringify(billed?.object.status?.intervals);
    if (before && after && used(before) === used(after)) return;
    // A hundred starts ask once.
    this.#onlyUse.add(organizationId);
    this.#agenda.addAt(organizationId, this.#parts.clock.now() + LEAST_LOOK_MS);
  }

  /** When the next level is reached at the earliest, where the books need not be asked for it. */
  #farLevel(organizationId: string): number | undefined {
    const known = this.#known.get(organizationId);
    if (!this.#onlyUse.delete(organizationId) || !known) return undefined;
    const { clock, settings } = this.#parts;
    const now = clock.now();
    if (now - known.at >= MOST_LOOK_MS) return undefined;
    const perHour = burnOf(this.#parts, organizationId, now);
    const most = perHour > known.creditStatus.perHour ? perHour : known.creditStatus.perHour;
    const used = dividedRounded(most * BigInt(now - known.at), HOUR_MS);
    const creditStatus = { ...known.creditStatus, left: micros(known.creditStatus.left - used), perHour };
    const inMs = nextLevelInMs(creditStatus, settings);
    const month = monthStart(now).toISOString().slice(0, 7);
    const isFar =
      levelsOf(creditStatus, settings, month).length === 0 && (inMs === undefined || inMs > 2 * MOST_LOOK_MS);
    return isFar ? known.at + MOST_LOOK_MS : undefined;
  }

  get isIdle(): boolean {
    return this.#agenda.isIdle;
  }

  async #look(organizationId: string): Promise<number | undefined> {
    const { cluster, clock, settings } = this.#parts;
    if (!cluster.organizations().includes(organizationId)) return undefined;
    const far = this.#farLevel(organizationId);
    if (far !== undefined) return far;
    // Read before the balance: a payer who pays in between gets no notice about the earlier status.
    const topUp = await lastTopUp(this.#parts.db.sql, organizationId);
    const creditStatus = await this.#creditStatus(organizationId);
    if (!creditStatus) return undefined;
    const now = clock.now();
    this.#known.set(organizationId, { creditStatus, at: now });
    const isDeleted = await isOfDeleted(this.#parts.db.sql, organizationId);
    const verdict = isDeleted ? nameUsed(organizationId) : verdictOf(creditStatus);
    await cluster.writeInCredit(organizationId, verdict);
    const isOut = verdict.reason === 'OutOfCredit';
    const againAt = await this.#tell(organizationId, topUp, creditStatus, isOut);
    const inMs = nextLevelInMs(creditStatus, settings);
    const byLevel = now + Math.min(MOST_LOOK_MS, Math.max(LEAST_LOOK_MS, inMs ?? MOST_LOOK_MS));
    return againAt === undefined ? byLevel : Math.max(now, Math.min(againAt, byLevel));
  }

  async #creditStatus(organizationId: string): Promise<CreditStatus | undefined> {
    const { wallets, meter, clock, cluster } = this.#parts;
    const now = clock.now();
    // The cluster may know an organisation that nobody has here.
    const balances = await wallets.balances(organizationId).catch((error: unknown) => {
      if (error instanceof Problem) return undefined;
      throw error;
    });
    if (!balances) return undefined;
    const { net: accrued } = await meter.accrual({ organizationId }, now);
    const cap = await this.#cap(organizationId, accrued, now);
    return {
      currency: balances.currency,
      left: micros(balances.balance + balances.overdraft - accrued),
      perHour: burnOf(this.#parts, organizationId, now),
      ...(cap && { cap }),
      isStarved: cluster.ofOrganization(organizationId).some(isStarved),
    };
  }

  async #cap(organizationId: string, accrued: Micros, now: number): Promise<Cap | undefined> {
    const { organization: cap } = await readCaps(this.#parts.db.sql, organizationId);
    if (cap === undefined) return undefined;
    const { all } = await spentThisMonth(this.#parts.db.sql, organizationId, now);
    return { whose: 'organization', cap, spent: micros(all + accrued) };
  }

  /** One notice in one transaction; resolves with when there is more to do. */
  async #tell(
    organizationId: string,
    topUp: string,
    creditStatus: CreditStatus,
    isOut: boolean,
  ): Promise<number | undefined> {
    const { db, clock, cluster, settings } = this.#parts;
    const now = clock.now();
    const held = cluster.ofOrganization(organizationId).filter(isPaidFor);
    const data = held.filter(({ facts }) => !WITHOUT_DATA.has(facts.kind));
    const month = monthStart(now).toISOString().slice(0, 7);
    // Organisations without objects get no notices.
    const levels = held.length === 0 ? [] : levelsOf(creditStatus, settings, month);
    const step = await db.transaction(async (tx) => {
      const profile = await profileOf(tx, organizationId);
      if (!profile) return undefined;
      const isQuiet =
        levels.length === 0 && profile.warned.levels.length === 0 && !isOut && profile.since === undefined;
      // A top-up is noted when it arrives: an earlier refusal may be reported a moment longer.
      if (isQuiet && profile.warned.topUp === topUp) return undefined;
      const telling = planTelling(
        profile,
        { topUp, levels, isOut, holds: data.length > 0 },
        settings.keepDataDays,
        now,
      );
      const { warned, since, warnings } = telling.next;
      const outOfCreditSince = since === undefined ? null : new Date(since);
      await tx
        .update(billingProfiles)
        .set({ warned: JSON.stringify(warned), outOfCreditSince, warnings })
        .where(eq(billingProfiles.organizationId, organizationId));
      const notice = noticeFor(organizationId, telling, creditStatus, now);
      if (notice) await this.#parts.notify(tx, notice);
      return telling;
    });
    if (step?.does !== 'delete') return step?.againAt;
    await this.#deleteData(data);
    return now + RETRY_MS;
  }

  /** Anything still running is hibernated first, and deleted the next time. */
  async #deleteData(data: readonly Billed[]): Promise<void> {
    for (const billed of data) {
      if (billed.object.metadata.deletionTimestamp !== undefined) continue;
      await this.#parts.cluster.deleteData(billed).catch((error: unknown) => {
        const { organizationId, object } = billed;
        this.#parts.log.warn({ err: error, organizationId, name: object.metadata.name }, 'data are not deleted yet');
      });
    }
  }
}

/** Free objects are never deleted: images of others, the organisation's own hosts. */
const isPaidFor = ({ facts, object }: Billed): boolean =>
  facts.cost.desired(object).length > 0 || (object.status?.intervals ?? []).length > 0;

const isStarved = (billed: Billed): boolean =>
  !isReserved(billed) &&
  (billed.object.status?.intervals ?? []).length > 0 &&
  (billed.object.status?.conditions ?? []).some(
    ({ type, status, reason }) => type === 'CreditReserved' && status === 'False' && reason === 'OutOfCredit',
  );

async function profileOf(tx: Sql, organizationId: string): Promise<Profile | undefined> {
  const [row] = await tx
    .select()
    .from(billingProfiles)
    .where(eq(billingProfiles.organizationId, organizationId))
    .for('update');
  if (!row) return undefined;
  const warned: Warned = row.warned === '' ? { topUp: '', levels: [] } : (JSON.parse(row.warned) as Warned);
  return { warned, since: row.outOfCreditSince?.getTime(), warnings: row.warnings };
}

async function lastTopUp(sql: Sql, organizationId: string): Promise<string> {
  const [row] = await sql
    .select({ id: transfers.id })
    .from(transfers)
    .where(and(eq(transfers.organizationId, organizationId), inArray(transfers.type, ['recharge', 'grant', 'adjust'])))
    .orderBy(desc(transfers.at), desc(transfers.id))
    .limit(1);
  return `${row?.id ?? 0}`;
}

function noticeOf(organizationId: string, level: string, topUp: string, creditStatus: CreditStatus): PayersNotice {
  const { left, currency, perHour, cap } = creditStatus;
  const words = level === 'out' ? NOTICES.out : level.startsWith('cap-') ? NOTICES.cap : NOTICES.low;
  return {
    organizationId,
    key: `credit/${organizationId}/${level}/${topUp}`,
    ...words,
    args: {
      left: leftText(left),
      currency,
      rate: neededText(perHour),
      hours: durationText(lastsMs(creditStatus) ?? 0),
      ...(cap && { spent: neededText(cap.spent), cap: leftText(cap.cap) }),
    },
  };
}

function noticeFor(
  organizationId: string,
  { tell, next }: Telling,
  creditStatus: CreditStatus,
  now: number,
): PayersNotice | undefined {
  if (tell === undefined) return undefined;
  if (tell.what === 'level') return noticeOf(organizationId, tell.level, next.warned.topUp, creditStatus);
  const since = next.since ?? now;
  const at = dayOf(tell.what === 'dataKept' ? tell.deleteAt : now);
  return {
    organizationId,
    key: `credit/${organizationId}/${tell.what}/${since}/${next.warnings}/${at}`,
    ...NOTICES[tell.what],
    args: { since: dayOf(since), date: at },
  };
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** "23:10": hours and minutes, the same in every language. */
const durationText = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  return `${Math.floor(minutes / 60)}:${`${minutes % 60}`.padStart(2, '0')}`;
};
