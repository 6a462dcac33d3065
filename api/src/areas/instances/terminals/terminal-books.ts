// Which terminals are open, in every gateway, and which sessions outlive them: the audit log has how each began, was left, was
// attached to again and ended, also when the gateway that served one died.

import type { TerminalEnd } from '@gantry/contract/areas/instances/terminal-status.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, count, eq, gt, inArray, lt } from 'drizzle-orm';
import type { Database } from '../../../platform/db/open.ts';
import { accounts } from '../../../platform/db/schema/people.ts';
import { openTerminals, terminalSessions } from '../../../platform/db/schema/terminal.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { AuditEntry } from '../../../platform/http/run-route.ts';
import { newId } from '../../../platform/ids.ts';
import { auditedAs } from './place.ts';

type Action = 'terminalOpened' | 'terminalLeft' | 'terminalReattached' | 'terminalClosed';
/** Resolves once the entry will outlive a crash of this process. */
type WriteAudit = (entry: AuditEntry) => Promise<void>;

/** How often rows are renewed; without renewal for the time below, a gateway counts as dead. */
const RENEW_MS = 20_000;
const DEAD_MS = 90_000;

export interface OpenTerminal {
  id: string;
  caller: Caller;
  /** The key of the place. */
  instance: string;
  ip: string;
  /** Null where it ends with its WebSocket. */
  session: string | null;
}

/** The owner of sessions, and the run and instance: those of another are not there. */
export interface SessionsOf {
  caller: Caller;
  instance: string;
  instanceUid: string;
  pod: string;
}

export class TerminalBooks {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #audit: WriteAudit;
  readonly #log: { warn(facts: object, message: string): void };
  readonly #keepMs: number;
  /** The sessions of our terminals, by their ids. */
  readonly #mine = new Map<string, string | null>();
  #cancel: (() => void) | undefined;

  constructor(parts: {
    db: Database;
    clock: Clock;
    audit: WriteAudit;
    log: { warn(facts: object, message: string): void };
    /** For how long the agent keeps a session that nobody is attached to. */
    keepMs: number;
  }) {
    this.#keepMs = parts.keepMs;
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#audit = parts.audit;
    this.#log = parts.log;
  }

  /** Renews our own and ends what dead gateways left, from now on. */
  start(): void {
    this.#cancel = this.#clock.after(RENEW_MS, () => void this.#turn());
  }

  stop(): void {
    this.#cancel?.();
  }

  /** `session` is one of the own, which is attached to again. */
  async opened(caller: Caller, instance: string, ip: string, session: string | null = null): Promise<OpenTerminal> {
    return this.#opened({ id: newId('trm'), caller, instance, ip, session }, 'terminalReattached');
  }

  /** Begins a session, and the first terminal that shows it; undefined where they have `most` already. */
  async begun(of: SessionsOf, ip: string, most: number): Promise<(OpenTerminal & { session: string }) | undefined> {
    const session = newId('trm');
    const now = new Date(this.#clock.now());
    const { caller, ...at } = of;
    const isBegun = await this.#db.transaction(async (tx) => {
      // The account's row is the queue, for all gateways: of tickets used at once each counts those before it.
      await tx
        .select({ id: accounts.id })
        .from(accounts)
        .where(eq(accounts.id, caller.account.id))
        .for('no key update');
      if ((await tx.$count(terminalSessions, and(...this.#isOf(of)))) >= most) return false;
      await tx
        .insert(terminalSessions)
        .values({ id: session, ...ownerOf(caller), caller, ...at, ip, createdAt: now, seenAt: now });
      return true;
    });
    if (!isBegun) return undefined;
    return this.#opened({ id: newId('trm'), caller, instance: of.instance, ip, session }, 'terminalOpened');
  }

  async #opened<One extends OpenTerminal>(
    terminal: One,
    action: 'terminalOpened' | 'terminalReattached',
  ): Promise<One> {
    const now = new Date(this.#clock.now());
    await this.#db.sql.insert(openTerminals).values({ ...terminal, openedAt: now, seenAt: now });
    this.#mine.set(terminal.id, terminal.session);
    try {
      await this.#audit(entryOf(terminal.session ? action : 'terminalOpened', terminal, undefined));
    } catch (error) {
      // It is not opened then, and nobody else would take the row for a dead gateway's while we renew it.
      this.#mine.delete(terminal.id);
      throw error;
    }
    return terminal;
  }

  /** Its session, if any, has ended too. The audit first: a row that stays is closed once more rather than never. */
  async closed(terminal: OpenTerminal, end: TerminalEnd, exitCode?: number): Promise<void> {
    this.#mine.delete(terminal.id);
    await this.#audit(entryOf('terminalClosed', terminal, exitCode === undefined ? end : `${end} ${exitCode}`));
    if (terminal.session) await this.forgotten(terminal.session);
    await this.#db.sql.delete(openTerminals).where(eq(openTerminals.id, terminal.id));
  }

  /** Its session stays. */
  async left(terminal: OpenTerminal & { session: string }, end: TerminalEnd): Promise<void> {
    this.#mine.delete(terminal.id);
    await this.#seen([terminal.session]);
    await this.#audit(entryOf('terminalLeft', terminal, end));
    await this.#db.sql.delete(openTerminals).where(eq(openTerminals.id, terminal.id));
  }

  /** The oldest first. Those that the agent has ended meanwhile, because nobody was attached, are not among them. */
  async sessions(of: SessionsOf): Promise<{ id: string; createdAt: Date; isOpen: boolean }[]> {
    const found = await this.#db.sql
      .select({ id: terminalSessions.id, createdAt: terminalSessions.createdAt, terminals: count(openTerminals.id) })
      .from(terminalSessions)
      .leftJoin(openTerminals, eq(openTerminals.session, terminalSessions.id))
      .where(and(...this.#isOf(of)))
      .groupBy(terminalSessions.id)
      .orderBy(asc(terminalSessions.createdAt), asc(terminalSessions.id));
    return found.map(({ terminals, ...session }) => ({ ...session, isOpen: terminals > 0 }));
  }

  /** Whether it is one of theirs. */
  async hasSession(of: SessionsOf, session: string): Promise<boolean> {
    const found = await this.#db.sql
      .select({ id: terminalSessions.id })
      .from(terminalSessions)
      .where(and(eq(terminalSessions.id, session), ...this.#isOf(of)));
    return found.length > 0;
  }

  /** Ended by who it belongs to. Whoever shows it hears of that from the agent, and says so in the audit log. */
  async ended(of: SessionsOf, session: string, ip: string): Promise<void> {
    const shown = await this.#db.sql.select().from(openTerminals).where(eq(openTerminals.session, session));
    if (shown.length > 0 || !(await this.forgotten(session))) return;
    await this.#audit(entryOf('terminalClosed', { id: session, ip, session, ...of }, 'ended'));
  }

  /** Says whether it was there. */
  async forgotten(session: string): Promise<boolean> {
    const gone = await this.#db.sql.delete(terminalSessions).where(eq(terminalSessions.id, session)).returning();
    return gone.length > 0;
  }

  /** Records the end of terminals that nobody renews any more. If two gateways find one at once, one of them gets it. */
  async endLost(): Promise<number> {
    const dead = await this.#db.sql
      .delete(openTerminals)
      .where(lt(openTerminals.seenAt, new Date(this.#clock.now() - DEAD_MS)))
      .returning();
    for (const row of dead) {
      const action = row.session ? 'terminalLeft' : 'terminalClosed';
      await this.#audit(entryOf(action, { ...row, caller: row.caller as Caller }, 'gatewayLost'));
    }
    return dead.length;
  }

  /** Records the end of sessions that the agent has ended, because nobody was attached for so long. */
  async endUnattended(): Promise<void> {
    const over = await this.#db.sql
      .delete(terminalSessions)
      .where(lt(terminalSessions.seenAt, new Date(this.#clock.now() - this.#keepMs - DEAD_MS)))
      .returning();
    for (const row of over) {
      await this.#audit(
        entryOf('terminalClosed', { ...row, session: row.id, caller: row.caller as Caller }, 'notReattached'),
      );
    }
  }

  #isOf({ caller, instance, instanceUid, pod }: SessionsOf) {
    const { accountId, namespace } = ownerOf(caller);
    return [
      eq(terminalSessions.namespace, namespace),
      eq(terminalSessions.instance, instance),
      eq(terminalSessions.accountId, accountId),
      eq(terminalSessions.instanceUid, instanceUid),
      eq(terminalSessions.pod, pod),
      gt(terminalSessions.seenAt, new Date(this.#clock.now() - this.#keepMs)),
    ];
  }

  async #seen(sessions: readonly string[]): Promise<void> {
    if (sessions.length === 0) return;
    await this.#db.sql
      .update(terminalSessions)
      .set({ seenAt: new Date(this.#clock.now()) })
      .where(inArray(terminalSessions.id, [...sessions]));
  }

  async #turn(): Promise<void> {
    try {
      if (this.#mine.size > 0) {
        const seenAt = new Date(this.#clock.now());
        await this.#db.sql
          .update(openTerminals)
          .set({ seenAt })
          .where(inArray(openTerminals.id, [...this.#mine.keys()]));
        await this.#seen([...this.#mine.values()].filter((session) => session !== null));
      }
      await this.endLost();
      await this.endUnattended();
    } catch (error) {
      this.#log.warn({ err: error }, 'open terminals could not be renewed');
    }
    this.#cancel = this.#clock.after(RENEW_MS, () => void this.#turn());
  }
}

const SWITCHING_PROTOCOLS = 101;

const entryOf = (
  action: Action,
  { id, caller, instance, ip, session }: OpenTerminal,
  reason: string | undefined,
): AuditEntry => ({
  action,
  decision: 'allowed',
  status: SWITCHING_PROTOCOLS,
  caller,
  object: auditedAs(instance, caller.organization.id),
  reason,
  ip,
  // All of a session's entries have the same.
  requestId: session ?? id,
  userAgent: undefined,
});

const ownerOf = ({ account, organization }: Caller) => ({
  accountId: account.id,
  namespace: organizationNamespace(organization.id),
});
