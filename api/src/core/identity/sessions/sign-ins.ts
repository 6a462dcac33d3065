// Logins of an account as they went, for whoever has to say why somebody cannot sign in. Equal ones of a quarter of an hour are one
// row, so that guessing fills no table; rows are kept for 90 days, and at most 500 of an account.
import type { SignInOutcome, SignInWay } from '@gantry/contract/areas/identity/admin-people.ts';
import { Problem } from '@gantry/contract/http/problem.ts';
import { lt, sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { signIns } from '../../../platform/db/schema/staff.ts';
import { sha256 } from '../../../platform/secrets.ts';
import type { LoginOrigin } from './sessions.ts';

const BUCKET_MS = 15 * 60_000;
const KEPT_MS = 90 * 24 * 3_600_000;
const KEPT_OF_ACCOUNT = 500;

interface SignIn {
  /** Undefined: nobody's. It is noted all the same, so that the time of an answer does not tell the two apart. */
  readonly accountId: string | undefined;
  readonly way: SignInWay;
  readonly outcome: SignInOutcome;
}

/** The network counts, as for the lockout: a customer who has a /64 of IPv6 is one address. */
export async function noteSignIn(db: Sql, signIn: SignIn, origin: LoginOrigin, now: number): Promise<void> {
  const at = new Date(now);
  const bucket = Math.floor(now / BUCKET_MS);
  const { accountId = null, way, outcome } = signIn;
  const id = `sgn-${sha256([accountId ?? 'nobody', way, outcome, origin.network, bucket].join(' ')).slice(0, 24)}`;
  const userAgent = origin.userAgent?.slice(0, 200).toWellFormed().replaceAll('\0', '') ?? null;
  await db
    .insert(signIns)
    .values({ id, accountId, way, outcome, firstAt: at, lastAt: at, ip: origin.ip, userAgent })
    .onConflictDoUpdate({
      target: signIns.id,
      set: { times: sql`${signIns.times} + 1`, lastAt: at, ip: origin.ip, userAgent },
    });
}

/** The outcome of an attempt that was refused; undefined if it was no attempt at an account. */
export function outcomeOf(error: unknown): SignInOutcome | undefined {
  if (!(error instanceof Problem)) return undefined;
  const { problem } = error;
  if (problem === 'login_failed') return 'wrongPassword';
  if (problem === 'code_wrong') return 'wrongCode';
  if (problem === 'too_many_attempts') return 'locked';
  if (problem === 'account_closed') return 'disabled';
  return undefined;
}

export async function sweepSignIns(db: Sql, now: number): Promise<void> {
  await db.delete(signIns).where(lt(signIns.lastAt, new Date(now - KEPT_MS)));
  await db.execute(sql`delete from ${signIns} where ${signIns.id} in (
    select id from (
      select id, row_number() over (partition by account_id order by last_at desc) as place from ${signIns}
    ) as placed where place > ${KEPT_OF_ACCOUNT}
  )`);
}
