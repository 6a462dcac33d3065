// How many notifications an hour go out by one channel, of a policy or of one of the platform's own alarms: what was sent is a row of
// the same table for both.
import { and, countDistinct, eq, gt, isNotNull, isNull, lte } from 'drizzle-orm';
import type { Sql } from '../db/open.ts';
import { alertNotices } from '../db/schema/alerts.ts';
import { newId } from '../ids.ts';

const HOUR_MS = 3_600_000;

interface Sender {
  /** The uid of a policy, or a name that no uid is. */
  policyUid: string;
  channel: string;
}

const of = ({ policyUid, channel }: Sender) =>
  and(eq(alertNotices.policyUid, policyUid), eq(alertNotices.channel, channel));

/** What goes out together counts once. */
export async function isLimited(sql: Sql, sender: Sender, mostPerHour: number, now: number): Promise<boolean> {
  const [row] = await sql
    .select({ batches: countDistinct(alertNotices.batch) })
    .from(alertNotices)
    .where(and(of(sender), isNotNull(alertNotices.batch), gt(alertNotices.sentAt, new Date(now - HOUR_MS))));
  return (row?.batches ?? 0) >= mostPerHour;
}

/** Of what is no alarm of a policy, in the transaction that sends it: it counts for an hour, and is then forgotten. */
export async function noteSent(tx: Sql, sender: Sender, transition: string, now: number): Promise<void> {
  const at = new Date(now);
  await tx
    .delete(alertNotices)
    .where(and(of(sender), isNull(alertNotices.alarmId), lte(alertNotices.sentAt, new Date(now - HOUR_MS))));
  await tx.insert(alertNotices).values({
    ...{ id: newId('aln'), ...sender, transition, organizationId: '' },
    ...{ dueAt: at, sentAt: at, batch: newId('alb') },
  });
}
