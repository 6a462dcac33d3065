// The gate's dependencies: the cluster, wallets, prices, plans, metering, and notifications.
import type { PlanId } from '@gantry/contract/billing/plans.ts';
import type { CommonStatus, Condition, CostFacts, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Database } from '../../../platform/db/open.ts';
import type { Notify } from '../../identity/organizations/notify-payers.ts';
import type { Wallets } from '../ledger/wallets.ts';
import type { Tariff } from '../prices/rate.ts';
import type { TariffListener } from '../prices/tariffs.ts';
import type { MonthlyCharge } from './runway.ts';

/** An object of a billable kind, from the cluster's port. */
export interface Billed {
  readonly facts: KindFacts & { cost: CostFacts };
  readonly object: KubeObject & {
    spec: Record<string, unknown> & { creator?: string; startedBy?: string };
    status?: CommonStatus & {
      intervals?: readonly Interval[];
      credit?: { until?: string; postedSeq?: number; months?: number; replicas?: number };
    };
  };
  readonly uid: string;
  readonly organizationId: string;
  readonly region: string;
}

export type Verdict = Pick<Condition, 'status' | 'reason' | 'message' | 'args'>;

interface Credit {
  condition: Verdict;
  until?: number;
  /** How many months of a rented host are covered; undefined: all. */
  months?: number | undefined;
  /** For how many replicas of a service; undefined: the kind has none. */
  replicas?: number | undefined;
  /** The amount billed for it so far, with its currency. A change of it alone is not worth a write. */
  cost?: string | undefined;
}

/** The cluster, as far as billing may read and write. A write on an outdated object rejects: it is decided again. */
export interface BilledCluster {
  list(kind?: string): readonly Billed[];
  ofOrganization(organizationId: string): readonly Billed[];
  get(key: { kind: string; namespace: string; name: string }): Billed | undefined;
  on(listener: (change: { before?: Billed; after?: Billed }) => void): () => void;
  /** False while objects may be in a cluster that was never seen. */
  readonly areAllSeen?: boolean;
  /** Data centres that are followed: of what is missing there it is known that it is gone. */
  readonly regions: readonly string[];
  organizations(): readonly string[];
  inCredit(organizationId: string): Condition | undefined;
  onOrganization(listener: (organizationId: string) => void): () => void;
  addFinalizer(billed: Billed): Promise<void>;
  writeCredit(billed: Billed, credit: Credit): Promise<boolean>;
  writeInCredit(organizationId: string, condition: Verdict): Promise<boolean>;
  deleteData(billed: Billed): Promise<void>;
}

export interface Log {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}

/** Used and not posted yet. */
export interface Accrual {
  readonly net: Micros;
}

export interface GateParts {
  db: Database;
  clock: Clock;
  log: Log;
  cluster: BilledCluster;
  wallets: Pick<Wallets, 'balances' | 'charge' | 'spend' | 'look' | 'release' | 'holdsOf' | 'endedHolds' | 'on'>;
  tariffs: { of(organizationId: string): Tariff; on(listener: TariffListener): () => void };
  /** The plan whose number of hosts applies: the lower of the current and an ordered one; undefined without plans: no cap. */
  planOf(organizationId: string): Promise<PlanId | undefined>;
  /** The next month of its plan that is charged; undefined if none is. */
  planCharge(organizationId: string): Promise<MonthlyCharge | undefined>;
  meter: {
    accrual(of: { organizationId: string }, now: number): Promise<Accrual>;
    /** By uid, what has been billed so far. */
    costs(uids: readonly string[]): Promise<ReadonlyMap<string, Micros>>;
    /** Objects whose use is open in other regions than these. */
    openOutside(regions: readonly string[]): Promise<readonly { uid: string }[]>;
  };
  /** Runs within the transaction that records the notice: messages and mails to the payers. Its last statement. */
  notify: Notify;
  settings: GateSettings;
}

export interface GateSettings {
  /** How far ahead credit is held. */
  holdAheadMs: number;
  /** Thresholds of the low-balance messages: hours that the balance still lasts. */
  lowHours: readonly number[];
  /** How many days data are kept without credit; 0: forever. */
  keepDataDays: number;
}

export type { Interval };
