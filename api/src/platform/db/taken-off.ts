// What visitors were shown once and are shown no more: its address says so (410) instead of that there is nothing (404).
import { and, eq } from 'drizzle-orm';
import type { Database, Sql } from './open.ts';
import { takenOff } from './schema/portal.ts';

type Kind = (typeof takenOff.$inferSelect)['kind'];

export async function noteTakenOff(tx: Sql, kind: Kind, id: string, at: Date): Promise<void> {
  await tx
    .insert(takenOff)
    .values({ kind, id, at })
    .onConflictDoUpdate({ target: [takenOff.kind, takenOff.id], set: { at } });
}

/** Says nothing of whether it is shown again. */
export const wasTakenOff = async ({ sql }: Pick<Database, 'sql'>, kind: Kind, id: string): Promise<boolean> =>
  (await sql.$count(takenOff, and(eq(takenOff.kind, kind), eq(takenOff.id, id)))) > 0;
