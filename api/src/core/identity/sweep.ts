// Deletes expired rows: nothing refers to them any more.
import { and, isNotNull, lt, or } from 'drizzle-orm';
import type { Sql } from '../../platform/db/open.ts';
import {
  codes,
  counters,
  knownAddresses,
  mails,
  providerLogins,
  tickets,
  usedPuzzles,
} from '../../platform/db/schema/identity.ts';
import { invitations } from '../../platform/db/schema/invitations.ts';
import { sessions } from '../../platform/db/schema/people.ts';
import { realAuthOpenings } from '../../platform/db/schema/staff.ts';
import { sweepSignIns } from './sessions/sign-ins.ts';

const DAY_MS = 24 * 3_600_000;

export async function sweepIdentity(db: Sql, now: number): Promise<void> {
  const ago = (days: number) => new Date(now - days * DAY_MS);
  await db.delete(sessions).where(or(lt(sessions.expiresAt, ago(30)), lt(sessions.lastUsedAt, ago(30))));
  await db.delete(codes).where(lt(codes.expiresAt, ago(1)));
  await db.delete(tickets).where(lt(tickets.expiresAt, ago(0)));
  await db.delete(usedPuzzles).where(lt(usedPuzzles.expiresAt, ago(1)));
  await db.delete(counters).where(lt(counters.endsAt, ago(0)));
  await db.delete(providerLogins).where(lt(providerLogins.expiresAt, ago(0)));
  await db.delete(knownAddresses).where(lt(knownAddresses.lastAt, ago(90)));
  await db.delete(invitations).where(lt(invitations.expiresAt, ago(30)));
  await db.delete(realAuthOpenings).where(lt(realAuthOpenings.seenAt, ago(1)));
  await sweepSignIns(db, now);
  await db.delete(mails).where(lt(mails.expiresAt, ago(30)));
  // A mail that failed for good stays listed for a month, and its text for a week.
  await db
    .update(mails)
    .set({ sealedArgs: null })
    .where(and(lt(mails.failedAt, ago(7)), isNotNull(mails.sealedArgs)));
}
