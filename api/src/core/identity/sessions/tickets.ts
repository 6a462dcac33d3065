// The next step that a completed one permits: one use, ten minutes.
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { tickets } from '../../../platform/db/schema/identity.ts';
import { newToken, sha256 } from '../../../platform/secrets.ts';

type Ticket = typeof tickets.$inferSelect;
export type TicketPurpose = Ticket['purpose'];

const LIFE_MS = 10 * 60_000;

export async function issueTicket(
  db: Sql,
  entitles: { purpose: TicketPurpose; address?: string; accountId?: string },
  now: number,
): Promise<string> {
  const ticket = newToken();
  await db.insert(tickets).values({ ...entitles, ticketHash: sha256(ticket), expiresAt: new Date(now + LIFE_MS) });
  return ticket;
}

/** Takes it away: of two who try at once one gets it. */
export async function redeemTicket(
  db: Sql,
  ticket: string,
  purpose: TicketPurpose,
  now: number,
): Promise<Ticket | undefined> {
  const [row] = await db
    .delete(tickets)
    .where(valid(ticket, purpose, now))
    .returning();
  return row;
}

/** Uses one of its five tries, for a step that can be got wrong; it stays until it is redeemed. */
export async function tryTicket(
  db: Sql,
  ticket: string,
  purpose: TicketPurpose,
  now: number,
): Promise<Ticket | undefined> {
  const [row] = await db
    .update(tickets)
    .set({ triesLeft: sql`${tickets.triesLeft} - 1` })
    .where(and(valid(ticket, purpose, now), gt(tickets.triesLeft, 0)))
    .returning();
  return row;
}

const valid = (ticket: string, purpose: TicketPurpose, now: number) =>
  and(eq(tickets.ticketHash, sha256(ticket)), eq(tickets.purpose, purpose), gt(tickets.expiresAt, new Date(now)));

/** Checks without using it up: before expensive work. */
export async function lookAtTicket(
  db: Sql,
  ticket: string,
  purpose: TicketPurpose,
  now: number,
): Promise<Ticket | undefined> {
  const [row] = await db
    .select()
    .from(tickets)
    .where(valid(ticket, purpose, now));
  return row;
}
