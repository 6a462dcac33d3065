// Single-use tickets into an instance, and the cookies of visits that some of them become. Random, stored only as SHA-256.
import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { accessTickets, webVisits } from '../db/schema/terminal.ts';
import type { Caller } from '../http/caller.ts';

export interface Target {
  /** The key of the place: an instance's id, or what `place.ts` makes of a worker or a replica. */
  instance: string;
  instanceUid: string;
}
export interface TerminalTarget extends Target {
  /** The session to attach to, or `new`; null for a terminal that ends with its WebSocket. */
  session: string | null;
}
export interface WebTarget extends Target {
  port: number;
}
export type Granted<T extends Target> = T & { caller: Caller };

const TICKET_MS = 30_000;
const VISIT_MS = 12 * 3_600_000;

export class Access {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(parts: { db: Database; clock: Clock }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
  }

  async issue(caller: Caller, target: TerminalTarget | WebTarget): Promise<string> {
    const now = this.#clock.now();
    const ticket = newToken();
    await this.#db.sql.delete(accessTickets).where(lte(accessTickets.expiresAt, new Date(now)));
    await this.#db.sql.insert(accessTickets).values({
      ticketHash: sha256(ticket),
      purpose: 'port' in target ? 'web' : 'terminal',
      caller,
      ...target,
      expiresAt: new Date(now + TICKET_MS),
    });
    return ticket;
  }

  /** Takes it away: of two who try at once one gets it. Whether the session still holds is the caller's to ask. */
  async redeem(
    ticket: string,
    purpose: 'terminal' | 'web',
  ): Promise<Granted<TerminalTarget & { port: number | null }> | undefined> {
    const [row] = await this.#db.sql
      .delete(accessTickets)
      .where(
        and(
          eq(accessTickets.ticketHash, sha256(ticket)),
          eq(accessTickets.purpose, purpose),
          gt(accessTickets.expiresAt, new Date(this.#clock.now())),
        ),
      )
      .returning();
    return row && granted(row);
  }

  /** Returns the cookie. */
  async beginVisit({ caller, instance, instanceUid, port }: Granted<WebTarget>): Promise<string> {
    const now = this.#clock.now();
    const cookie = newToken();
    await this.#db.sql.delete(webVisits).where(lte(webVisits.expiresAt, new Date(now)));
    await this.#db.sql.insert(webVisits).values({
      cookieHash: sha256(cookie),
      caller,
      instance,
      instanceUid,
      port,
      expiresAt: new Date(now + VISIT_MS),
    });
    return cookie;
  }

  async visit(cookie: string): Promise<Granted<WebTarget> | undefined> {
    const [row] = await this.#db.sql
      .select()
      .from(webVisits)
      .where(and(eq(webVisits.cookieHash, sha256(cookie)), gt(webVisits.expiresAt, new Date(this.#clock.now()))));
    return row && granted(row);
  }
}

const granted = <Row extends { caller: unknown }>(row: Row) => ({ ...row, caller: row.caller as Caller });

const newToken = (): string => randomBytes(32).toString('base64url');
const sha256 = (text: string): string => hash('sha256', text, 'base64url');
