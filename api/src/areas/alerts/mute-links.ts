// The link in a mail that mutes its policy: signed, for a while, once. Whoever has the mail may use it, without logging in.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, eq, isNull } from 'drizzle-orm';
import { alertNotices } from '../../platform/db/schema/alerts.ts';
import type { Platform } from '../../platform/open.ts';

const LIFE_MS = 7 * 86_400_000;

/** `key`: the platform's for this purpose. */
type Parts = Pick<Platform, 'db' | 'clock'> & { key: string };

export class MuteLinks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `notice` is the id of a row of the outbox. */
  issue(notice: string): string {
    const text = `${notice}.${this.#parts.clock.now() + LIFE_MS}`;
    return `${text}.${this.#sign(text)}`;
  }

  /** The policy that a link is about. Throws link_invalid. */
  async read(token: string): Promise<{ notice: string; policyUid: string; isUsed: boolean }> {
    const [notice = '', until = '', signature = ''] = token.split('.');
    const wanted = Buffer.from(this.#sign(`${notice}.${until}`));
    const given = Buffer.from(signature);
    const isSigned = wanted.length === given.length && timingSafeEqual(wanted, given);
    if (!isSigned || Number(until) < this.#parts.clock.now()) throw problem('link_invalid');
    const [row] = await this.#parts.db.sql
      .select({ policyUid: alertNotices.policyUid, mutedAt: alertNotices.mutedAt })
      .from(alertNotices)
      .where(eq(alertNotices.id, notice));
    if (!row) throw problem('link_invalid');
    return { notice, policyUid: row.policyUid, isUsed: row.mutedAt !== null };
  }

  /** From now on it mutes nothing any more. */
  async use(notice: string): Promise<void> {
    await this.#parts.db.sql
      .update(alertNotices)
      .set({ mutedAt: new Date(this.#parts.clock.now()) })
      .where(and(eq(alertNotices.id, notice), isNull(alertNotices.mutedAt)));
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#parts.key).update(text).digest('base64url');
  }
}
