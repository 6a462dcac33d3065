// The gate on an in-memory API server and real SQL, with an organisation, a member and prices.
import type { Condition } from '@gantry/contract/define-kind.ts';
import { parseMoney, ZERO } from '@gantry/contract/fields/money.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { SteppedClock, turns } from '@gantry/kube/testing/stepped-clock.ts';
import { resetDatabase } from '../../../../../../test/support/database.ts';
import { eventually } from '../../../../../../test/support/eventually.ts';
import type { Database } from '../../../../platform/db/open.ts';
import { accounts, memberships, organizations } from '../../../../platform/db/schema/people.ts';
import type { PayersNotice } from '../../../identity/organizations/notify-payers.ts';
import { type KindFixture, kindObject, type MemoryKinds, memoryKinds } from '../../../kinds/testing/memory-kinds.ts';
import type { Used } from '../../ledger/free-money.ts';
import { Ledger } from '../../ledger/ledger.ts';
import { Wallets } from '../../ledger/wallets.ts';
import { Tariffs } from '../../prices/tariffs.ts';
import { CreditGate } from '../credit-gate.ts';
import { CreditStatuses } from '../credit-status.ts';
import { type OpenGate, openGate } from '../open-gate.ts';
import type { GateParts, GateSettings } from '../parts.ts';
import type { MonthlyCharge } from '../runway.ts';

const SETTINGS: GateSettings = {
  holdAheadMs: 3_600_000,
  lowHours: [24, 3],
  keepDataDays: 30,
};

/** A core costs 1.00 an hour, a node 500.00 a month, and nothing else anything. */
export const PRICES = { cpu: '1', memory: '0', disk: '0', snapshot: '0', 'gpu/any': '10', 'host/any': '500' };

export class Stage {
  readonly #db: Database;
  readonly clock = new SteppedClock();
  readonly notices: PayersNotice[] = [];
  plan: 'free' | 'standard' | undefined;
  planCharge: MonthlyCharge | undefined;
  /** How often somebody asked for unposted usage, and the answer. */
  asks = 0;
  used: Used[] = [];
  /** Objects that run in data centres which are not followed. */
  outside: { uid: string }[] = [];
  #funded = 0;
  kinds!: MemoryKinds;
  wallets!: Wallets;
  tariffs!: Tariffs;
  gate!: CreditGate;
  creditStatuses!: CreditStatuses;
  asked!: OpenGate;
  parts!: GateParts;
  #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(db: Database) {
    this.#db = db;
  }

  async open(objects: Parameters<typeof memoryKinds>[0] = [], prices: Record<string, string> = PRICES): Promise<this> {
    const db = this.#db;
    await resetDatabase(db);
    const now = new Date(this.clock.now());
    await db.sql
      .insert(organizations)
      .values({ id: 'acme', name: 'acme', currency: 'USD', createdAt: now, revision: 1, projected: 1 });
    await db.sql.insert(accounts).values({ id: 'ann', name: 'ann', createdAt: now });
    await db.sql
      .insert(memberships)
      .values({ organizationId: 'acme', accountId: 'ann', role: 'member', createdAt: now });
    this.wallets = new Wallets({ db, clock: this.clock, ledger: new Ledger({ db, clock: this.clock }) });
    await this.wallets.open('acme', 'USD');
    this.tariffs = new Tariffs({ db, clock: this.clock, region: 'us-east', currency: 'USD', noticeMs: 0 });
    for (const [sku, amount] of Object.entries(prices))
      await this.tariffs.setPrice({ sku, amount: parseMoney(amount) }, 'test');
    const acme = { ...kindObject(organization, 'acme'), metadata: { name: 'acme', uid: 'uid-of-acme', generation: 1 } };
    this.kinds = await memoryKinds([acme, ...objects], this.clock);
    await this.start();
    return this;
  }

  async start(): Promise<void> {
    this.parts = {
      db: this.#db,
      clock: this.clock,
      log: {
        info: () => {},
        warn: (facts, text) => this.warnings.push(`${text}: ${(facts as { err?: Error }).err?.message}`),
      },
      cluster: this.kinds.billed,
      wallets: this.wallets,
      tariffs: this.tariffs,
      planOf: async () => this.plan,
      planCharge: async () => this.planCharge,
      meter: {
        accrual: async () => ({ net: ZERO }),
        costs: async () => new Map(),
        openOutside: async () => this.outside,
      },
      notify: async (_tx, notice) => void this.notices.push(notice),
      settings: SETTINGS,
    };
    this.#stop = new AbortController();
    this.wallets.countUse(async () => {
      this.asks++;
      return this.used;
    });
    this.gate = new CreditGate(this.parts);
    this.creditStatuses = new CreditStatuses(this.parts);
    this.asked = openGate(this.parts);
    this.kinds.store.payBy(this.asked.ask);
    const { signal } = this.#stop;
    this.#running = Promise.all([this.gate.run(signal), this.creditStatuses.run(signal)]);
    await this.quiet();
  }
  readonly warnings: string[] = [];

  async halt(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async end(): Promise<void> {
    await this.halt();
    this.kinds.stop();
  }

  /** Nothing that is due is left, and every write has come back by the watch. */
  async quiet(): Promise<void> {
    for (let calm = 0; calm < 3; ) {
      await turns();
      calm = this.gate.isIdle && this.creditStatuses.isIdle ? calm + 1 : 0;
    }
  }

  async step(ms: number): Promise<void> {
    await this.clock.step(ms);
    await this.quiet();
  }

  /** A long time, in which no gateway was there: stepping through it would run every timer of the caches. */
  async leap(ms: number): Promise<void> {
    await this.halt();
    this.clock.set(this.clock.now() + ms);
    await this.start();
  }

  fund(amount: string): Promise<void> {
    const key = `grant-${++this.#funded}`;
    const at = new Date(this.clock.now());
    return this.wallets.grant({ key, organizationId: 'acme', amount: parseMoney(amount), at });
  }

  async use(amount: string, subject?: string): Promise<void> {
    const sum = parseMoney(amount);
    await this.wallets.charge([
      {
        key: `use-${this.clock.now()}-${amount}-${subject}`,
        organizationId: 'acme',
        list: sum,
        net: sum,
        at: new Date(this.clock.now()),
        bill: { id: `use/x/${this.clock.now()}`, type: 'consumption', source: 'container_rent', reference: 'x' },
        ...(subject && { subject }),
      },
    ]);
  }

  put(facts: { kind: string }, name: string, fixture: KindFixture = {}): void {
    this.kinds.cluster.put(kindObject(facts, name, { ...fixture, metadata: { generation: 1, ...fixture.metadata } }));
  }

  /** As somebody else changes an object: a spec's change moves its generation. */
  change(kind: string, name: string, { spec, status }: { spec?: object; status?: object }): void {
    const old = this.find(kind, name);
    const generation = (old.metadata.generation ?? 1) + (spec ? 1 : 0);
    this.kinds.cluster.put({
      ...old,
      metadata: { ...old.metadata, generation },
      spec: { ...old.spec, ...spec },
      status: { ...old.status, ...status },
    } as never);
  }

  find(kind: string, name: string) {
    const found = this.kinds.cluster.find(kind, name);
    if (!found) throw new Error(`${kind} ${name} is not there`);
    return found as typeof found & { spec: object; status?: { credit?: { until?: string } } };
  }

  credit(name: string, kind = gpuInstance.kind) {
    const { status } = this.find(kind, name) as { status?: { conditions?: Condition[]; credit?: { until?: string } } };
    const condition = status?.conditions?.find(({ type }) => type === 'CreditReserved');
    return {
      status: condition?.status,
      reason: condition?.reason,
      message: condition?.message,
      args: condition?.args,
      generation: condition?.observedGeneration,
      minutes: status?.credit?.until
        ? Math.round((Date.parse(status.credit.until) - this.clock.now()) / 60_000)
        : undefined,
    };
  }

  async held(): Promise<string[]> {
    return (await this.wallets.holdsOf('acme')).map(({ amount }) => `${amount}`).sort();
  }
}

/** The expectation holds within a moment. */
export const soon = (look: () => unknown, limitMs = 30_000): Promise<unknown> =>
  eventually(
    'the gate has done it',
    async () => {
      await turns();
      await look();
      return true;
    },
    limitMs,
  );
