// The background work of money while it is this gateway's turn, and how often each part of it comes. An installation that sends no
// bills meters nothing: it only lets go of what is deleted.
import { type Clock, repeatedly } from '@gantry/kube/clock.ts';
import type { Documents } from './documents/open-documents.ts';
import type { OpenGate } from './gate/open-gate.ts';
import type { Approvals } from './giving/approvals.ts';
import type { Books } from './ledger/books.ts';
import type { MeterController } from './metering/meter-controller.ts';
import type { Prices } from './prices/open-prices.ts';

const WELCOME_MS = 1_000;
const INVOICES_MS = 60_000;
const CREDIT_NOTES_MS = 10_000;
const PLANS_MS = 60_000;
const APPROVALS_MS = 10_000;
const LOOK_MS = 2_000;
const RELEASE_MS = 1_000;

interface MoneyWork {
  clock: Clock;
  log: { warn(facts: object, message: string): void };
  isBilled: boolean;
  books: Pick<Books, 'keep'>;
  documents: Pick<Documents, 'invoices' | 'creditNotes'>;
  approvals: Pick<Approvals, 'carryOn'>;
  prices: Pick<Prices, 'plans'>;
  metering: Pick<MeterController, 'run'>;
  gate: Pick<OpenGate, 'run' | 'lookAround'>;
  /** Gives credits to those who are new. */
  welcome(): Promise<unknown>;
  /** Lets go of objects that are deleted. */
  release(): Promise<unknown>;
}

/** A round lasts until its signal. */
export const billingRound =
  ({ clock, log, ...parts }: MoneyWork) =>
  async (signal: AbortSignal): Promise<void> => {
    /** A failed step is tried again in the next round. */
    const every = (ms: number, what: string, work: () => Promise<unknown>): Promise<void> =>
      repeatedly({ clock, ms, signal }, work, (error) => log.warn({ err: error }, `${what}: it is tried again`));
    const { isBilled, books, documents, approvals, prices, metering, gate } = parts;
    await Promise.all([
      books.keep(signal),
      every(WELCOME_MS, 'credits for those who are new', () => parts.welcome()),
      every(INVOICES_MS, 'closing of months', () => documents.invoices.closeDue(clock.now())),
      every(CREDIT_NOTES_MS, 'issue of credit notes', () => documents.creditNotes.issueDue()),
      every(APPROVALS_MS, 'what was approved', () => approvals.carryOn()),
      every(PLANS_MS, 'renewal of plans', () => prices.plans.renewDue(clock.now())),
      ...(isBilled
        ? [metering.run(signal), gate.run(signal), every(LOOK_MS, 'changes of caps and holds', () => gate.lookAround())]
        : [every(RELEASE_MS, 'release of what is deleted', () => parts.release())]),
    ]);
  };
