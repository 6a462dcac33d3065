// Which terminals are open, in every gateway: the audit log has their opening and their closing, also when the gateway that
// served one died.

import type { TerminalEnd } from '@gantry/contract/http/terminal-status.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { inArray, lt } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { openTerminals } from '../db/schema/terminal.ts';
import type { Caller } from '../identity/caller.ts';
import { newId } from '../ids.ts';

export interface TerminalEvent {
  action: 'terminalOpened' | 'terminalClosed';
  caller: Caller;
  object: string;
  reason: string | undefined;
  ip: string;
  requestId: string;
}
/** Resolves once the entry will outlive a crash of this process. */
export type WriteAudit = (event: TerminalEvent) => Promise<void>;

/** How often rows are renewed; without renewal for the time below, a gateway counts as dead. */
const RENEW_MS = 20_000;
const DEAD_MS = 90_000;

export interface OpenTerminal {
  id: string;
  caller: Caller;
  instance: string;
  ip: string;
}

export class OpenTerminals {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #audit: WriteAudit;
  readonly #log: { warn(facts: object, message: string): void };
  readonly #mine = new Set<string>();
  #cancel: (() => void) | undefined;

  constructor(parts: {
    db: Database;
    clock: Clock;
    audit: WriteAudit;
    log: { warn(facts: object, message: string): void };
  }) {
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

  async opened(caller: Caller, instance: string, ip: string): Promise<OpenTerminal> {
    const terminal = { id: newId('trm'), caller, instance, ip };
    const now = new Date(this.#clock.now());
    await this.#db.sql.insert(openTerminals).values({ ...terminal, openedAt: now, seenAt: now });
    this.#mine.add(terminal.id);
    try {
      await this.#audit(eventOf('terminalOpened', terminal, undefined));
    } catch (error) {
      // It is not opened then, and nobody else would take the row for a dead gateway's while we renew it.
      this.#mine.delete(terminal.id);
      throw error;
    }
    return terminal;
  }

  /** The audit first: a row that stays is closed once more rather than never. */
  async closed(terminal: OpenTerminal, end: TerminalEnd, exitCode?: number): Promise<void> {
    this.#mine.delete(terminal.id);
    await this.#audit(eventOf('terminalClosed', terminal, exitCode === undefined ? end : `${end} ${exitCode}`));
    await this.#db.sql.delete(openTerminals).where(inArray(openTerminals.id, [terminal.id]));
  }

  /** Records the end of terminals that nobody renews any more. If two gateways find one at once, one of them gets it. */
  async endLost(): Promise<number> {
    const dead = await this.#db.sql
      .delete(openTerminals)
      .where(lt(openTerminals.seenAt, new Date(this.#clock.now() - DEAD_MS)))
      .returning();
    for (const row of dead) {
      await this.#audit(eventOf('terminalClosed', { ...row, caller: row.caller as Caller }, 'gatewayLost'));
    }
    return dead.length;
  }

  async #turn(): Promise<void> {
    try {
      if (this.#mine.size > 0) {
        const seenAt = new Date(this.#clock.now());
        await this.#db.sql
          .update(openTerminals)
          .set({ seenAt })
          .where(inArray(openTerminals.id, [...this.#mine]));
      }
      await this.endLost();
    } catch (error) {
      this.#log.warn({ err: error }, 'open terminals could not be renewed');
    }
    this.#cancel = this.#clock.after(RENEW_MS, () => void this.#turn());
  }
}

const eventOf = (
  action: TerminalEvent['action'],
  { id, caller, instance, ip }: OpenTerminal,
  reason: string | undefined,
): TerminalEvent => ({
  action,
  caller,
  object: `GpuInstance/${organizationNamespace(caller.organization.id)}/${instance}`,
  reason,
  ip,
  requestId: id,
});
