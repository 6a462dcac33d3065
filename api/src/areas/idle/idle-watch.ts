// Looks at everything that runs once a minute: who is told that something is idle, and what is stopped. One gateway at a time; an
// episode's row says what was done, so that a restart neither repeats nor forgets it.
import { DEFAULT_IDLE_POLICY, type IdlePolicy } from '@gantry/contract/fields/idle.ts';
import { type Micros, neededText } from '@gantry/contract/fields/money.ts';
import { type Clock, repeatedly } from '@gantry/kube/clock.ts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { idleEpisodes, idleQuiet } from '../../platform/db/schema/idle.ts';
import { decideIdle, quietSince, type Signal } from './decide-idle.ts';
import { type EpisodeRow, endEpisodes, readOpenEpisodes, readPolicies } from './idle-rows.ts';
import type { NOTICES } from './notices.ts';

const LOOK_MS = 60_000;
/** Not looked at for so long, what was quiet before says nothing. */
const GAP_MS = 5 * 60_000;

/** Something that runs and is to run. */
export interface Candidate {
  readonly uid: string;
  readonly organizationId: string;
  readonly kind: string;
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  readonly creator: string | undefined;
  /** Its own policy. */
  readonly policy?: IdlePolicy | undefined;
  /** As they are now, of each signal that it has; `user` apart. */
  readonly seen: Readonly<Record<string, 'busy' | 'quiet' | 'unknown'>>;
  /** When a person last used it, or it began to run. */
  readonly usedAt: Signal;
  readonly perHour: Micros;
  readonly currency: string;
}

export interface IdleNotice {
  readonly organizationId: string;
  readonly creator: string | undefined;
  readonly key: string;
  readonly what: keyof typeof NOTICES;
  readonly args: Readonly<Record<string, string>>;
  readonly kind: string;
  readonly name: string;
}

export interface IdleWatchParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: { warn(facts: object, text: string): void };
  candidates(now: number): Promise<readonly Candidate[]>;
  /** Whether there is such an object, running or not. */
  exists(uid: string): boolean;
  /** Hibernates, puts to sleep or stops it. Idempotent. */
  rest(one: Candidate): Promise<'hibernated' | 'asleep' | 'stopped'>;
  /** Within the transaction: the message and the mail. Its last statement. */
  tell(tx: Sql, notice: IdleNotice): Promise<void>;
}

export class IdleWatch {
  readonly #parts: IdleWatchParts;

  constructor(parts: IdleWatchParts) {
    this.#parts = parts;
  }

  run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    return repeatedly(
      { clock, ms: LOOK_MS, signal },
      () => this.step(),
      (error) => log.warn({ err: error }, 'what is idle is looked at again'),
    );
  }

  async step(): Promise<void> {
    const { db, clock, log } = this.#parts;
    const now = clock.now();
    const candidates = await this.#parts.candidates(now);
    const policies = await readPolicies(db);
    const episodes = new Map((await readOpenEpisodes(db)).map((row) => [row.uid, row]));
    const quiet = await this.#follow(candidates, now);
    for (const one of candidates) {
      const episode = episodes.get(one.uid);
      episodes.delete(one.uid);
      const policy = one.policy ?? policies.get(one.organizationId) ?? DEFAULT_IDLE_POLICY;
      try {
        await this.#look(one, policy, quiet.get(one.uid) ?? {}, episode, now);
      } catch (error) {
        log.warn({ err: error, kind: one.kind, name: one.name }, 'an idle object is looked at again');
      }
    }
    // Those that do not run: what was stopped saves money until it runs again; anything else is over.
    const over = [...episodes.values()].filter(({ uid, doneAt }) => doneAt === null || !this.#parts.exists(uid));
    await endEpisodes(db, over, now);
  }

  async #look(
    one: Candidate,
    policy: IdlePolicy,
    quiet: Readonly<Record<string, number>>,
    episode: EpisodeRow | undefined,
    now: number,
  ): Promise<void> {
    const { db } = this.#parts;
    // It runs again.
    if (episode?.doneAt) return endEpisodes(db, [episode], now);
    const signals = Object.fromEntries(
      Object.entries(one.seen).map(([name, state]) => [name, state === 'quiet' ? (quiet[name] ?? 'unknown') : state]),
    );
    const known = episode && { warnedAt: episode.warnedAt.getTime(), actedAt: episode.actedAt?.getTime() };
    const decision = decideIdle({ ...signals, user: one.usedAt }, policy, now, known);
    if (decision.do === 'end' && episode) await endEpisodes(db, [episode], now);
    if (decision.do === 'warn') await this.#warn(one, policy, decision.since, now);
    if (decision.do === 'act' && episode) await this.#act(one, episode, now);
  }

  async #warn(one: Candidate, { does }: IdlePolicy, since: number, now: number): Promise<void> {
    const { uid, organizationId, kind, name, currency, perHour } = one;
    await this.#parts.db.transaction(async (tx) => {
      const row = { uid, organizationId, kind, name, currency, perHour };
      const [made] = await tx
        .insert(idleEpisodes)
        .values({ ...row, since: new Date(since), warnedAt: new Date(now) })
        .onConflictDoNothing()
        .returning({ uid: idleEpisodes.uid });
      if (made) await this.#parts.tell(tx, noticeOf(one, does === 'Act' ? 'warnAct' : 'warn', since, perHour));
    });
  }

  /** Written down first: after a crash in the middle it is done again, which changes nothing. */
  async #act(one: Candidate, episode: EpisodeRow, now: number): Promise<void> {
    const { db } = this.#parts;
    const own = and(eq(idleEpisodes.uid, episode.uid), eq(idleEpisodes.since, episode.since));
    if (!episode.actedAt)
      await db.sql
        .update(idleEpisodes)
        .set({ actedAt: new Date(now) })
        .where(own);
    const what = await this.#parts.rest(one);
    await db.transaction(async (tx) => {
      const [done] = await tx
        .update(idleEpisodes)
        .set({ doneAt: new Date(now) })
        .where(and(own, isNull(idleEpisodes.doneAt)))
        .returning({ uid: idleEpisodes.uid });
      if (done) await this.#parts.tell(tx, noticeOf(one, what, episode.since.getTime(), episode.perHour));
    });
  }

  /** Since when each signal is quiet, carried on from the last look, of this process or of another. */
  async #follow(candidates: readonly Candidate[], now: number): Promise<Map<string, Record<string, number>>> {
    const { db } = this.#parts;
    const rows = await db.sql.select().from(idleQuiet);
    const before = new Map(
      rows.filter(({ seenAt }) => Math.abs(now - seenAt.getTime()) <= GAP_MS).map(({ uid, since }) => [uid, since]),
    );
    const quiet = new Map(candidates.map(({ uid, seen }) => [uid, quietSince(seen, before.get(uid) ?? {}, now)]));
    const input = JSON.stringify([...quiet].map(([uid, since]) => ({ uid, since })));
    const at = new Date(now).toISOString();
    await rowsOf(
      db.sql,
      sql`insert into idle_quiet (uid, since, seen_at)
        select uid, since, ${at}::timestamptz from jsonb_to_recordset(${input}::jsonb) as g(uid text, since jsonb)
        on conflict (uid) do update set since = excluded.since, seen_at = excluded.seen_at`,
    );
    await rowsOf(db.sql, sql`delete from idle_quiet where seen_at <> ${at}::timestamptz`);
    return quiet;
  }
}

function noticeOf(one: Candidate, what: keyof typeof NOTICES, since: number, perHour: Micros): IdleNotice {
  const { organizationId, creator, kind, name, title, currency, uid } = one;
  const shown = `${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const stage = what === 'warn' || what === 'warnAct' ? 'warn' : 'act';
  return {
    ...{ organizationId, creator, what, kind, name },
    key: `idle/${uid}/${since}/${stage}`,
    args: { name: title, since: shown, rate: neededText(perHour), currency },
  };
}
