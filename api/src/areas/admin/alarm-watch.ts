// Tells staff of the platform's own alarms: by bell those who have the menu, by mail whom a setting names. Once when one begins, once
// each time that it concerns more than before, and once when it is over: the row that says so is written with what is sent. One
// that comes and goes is told as often in an hour as a policy that says nothing of it.
import { alertWords } from '@gantry/contract/alerts/words.ts';
import { PLATFORM_ALARMS } from '@gantry/contract/areas/admin/admin-home.ts';
import { sentence, type Words } from '@gantry/contract/define-kind.ts';
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import { USUAL_PER_HOUR } from '@gantry/contract/kinds/alert-policy.ts';
import { mayStaff, PLATFORM_ROLES, type PlatformRole } from '@gantry/contract/roles.ts';
import { type Clock, repeatedly } from '@gantry/kube/clock.ts';
import { and, eq, gt, inArray, isNull, lt, lte } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { platformAlarms, platformNotices } from '../../platform/db/schema/alerts.ts';
import { accounts, platformGrants } from '../../platform/db/schema/people.ts';
import { newId } from '../../platform/ids.ts';
import type { PlatformAlarms } from './overview.ts';

type Alarm = PlatformAlarms['alarms'][number];
type Told = Pick<Alarm, 'name' | 'count' | 'what'>;

export interface AlarmWatchParts {
  db: Database;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
  read(): Promise<Pick<PlatformAlarms, 'alarms'>>;
  /** The addresses of mails; none: to the staff who hear the bell. */
  addresses(): readonly string[];
  mail(tx: Sql, letter: { address: string; language: Language; title: string; content: string }): Promise<void>;
  /** Its last statement of the transaction: the store of messages holds a lock to the end. */
  ring(
    tx: Sql,
    notice: { key: string; title: Words; content: Words },
    roles: readonly PlatformRole[],
  ): Promise<unknown>;
  /** After the commit of what was rung. */
  wake(): void;
}

const LOOK_MS = 30_000;
const HOUR_MS = 3_600_000;
const LISTENERS = PLATFORM_ROLES.filter((role) => mayStaff([role], 'operation'));

export class AlarmWatch {
  readonly #parts: AlarmWatchParts;
  /** How many each concerned at the look before: a node that is away for a moment wakes nobody. */
  readonly #before = new Map<Alarm['name'], number>();

  constructor(parts: AlarmWatchParts) {
    this.#parts = parts;
  }

  run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    return repeatedly(
      { clock, ms: LOOK_MS, signal },
      () => this.look(),
      (error) => log.warn({ err: error }, 'alarms of the platform are looked at again'),
    );
  }

  async look(): Promise<void> {
    const { alarms } = await this.#parts.read();
    for (const name of PLATFORM_ALARMS) {
      const alarm = alarms.find((one) => one.name === name) ?? { name, count: 0, what: '' };
      const before = this.#before.get(name);
      this.#before.set(name, alarm.count);
      if (before === undefined) continue;
      const [fewest, most] = [Math.min(before, alarm.count), Math.max(before, alarm.count)];
      if (fewest > 0) await this.#stands({ ...alarm, count: fewest });
      if (most === 0) await this.#ends(name);
      else await this.#shrinks(name, most);
    }
  }

  #stands(alarm: Told): Promise<void> {
    return this.#change(alarm, async (tx) => {
      const { name, count } = alarm;
      // Nothing is written either: once the hour allows it, staff hear of what still stands.
      if ((await this.#toldInHour(tx, name)) >= USUAL_PER_HOUR) return undefined;
      const told = { id: newId('pal'), count };
      const [begun] = await tx
        .insert(platformAlarms)
        .values({ ...told, name, begunAt: new Date(this.#parts.clock.now()) })
        .onConflictDoNothing()
        .returning();
      if (begun) return { id: begun.id, how: 'began' };
      const [grown] = await tx
        .update(platformAlarms)
        .set(told)
        .where(and(eq(platformAlarms.name, name), lt(platformAlarms.count, count)))
        .returning();
      return grown && { id: grown.id, how: 'grew' };
    });
  }

  /** Nobody is told, but of what is more than that again. */
  async #shrinks(name: Alarm['name'], count: number): Promise<void> {
    await this.#parts.db.sql
      .update(platformAlarms)
      .set({ count })
      .where(and(eq(platformAlarms.name, name), gt(platformAlarms.count, count)));
  }

  #ends(name: Alarm['name']): Promise<void> {
    return this.#change({ name, count: 0, what: '' }, async (tx) => {
      const [gone] = await tx.delete(platformAlarms).where(eq(platformAlarms.name, name)).returning();
      return gone && { id: gone.id, how: 'ended' };
    });
  }

  /** `write` says what is news of it; undefined: nothing, or somebody else has told it. */
  async #change(
    alarm: Told,
    write: (tx: Sql) => Promise<{ id: string; how: 'began' | 'grew' | 'ended' } | undefined>,
  ): Promise<void> {
    const { db, clock, ring, mail, wake } = this.#parts;
    const isNews = await db.transaction(async (tx) => {
      const news = await write(tx);
      if (!news) return false;
      const { id, how } = news;
      const [title, content] = [said(alarm, how), said(alarm, `${how}Text`)];
      for (const { address, language } of await this.#readers(tx))
        await mail(tx, { address, language, title: title[language], content: content[language] });
      const [{ name }, sentAt] = [alarm, new Date(clock.now())];
      await tx
        .delete(platformNotices)
        .where(and(eq(platformNotices.name, name), lte(platformNotices.sentAt, this.#anHourAgo)));
      await tx.insert(platformNotices).values({ id: newId('pan'), name, sentAt });
      await ring(tx, { key: `platform-alarm/${id}/${how}`, title, content }, LISTENERS);
      return true;
    });
    if (isNews) wake();
  }

  get #anHourAgo(): Date {
    return new Date(this.#parts.clock.now() - HOUR_MS);
  }

  #toldInHour(tx: Sql, name: Alarm['name']): Promise<number> {
    return tx.$count(platformNotices, and(eq(platformNotices.name, name), gt(platformNotices.sentAt, this.#anHourAgo)));
  }

  async #readers(tx: Sql): Promise<{ address: string; language: Language }[]> {
    const addresses = this.#parts.addresses();
    const named = inArray(accounts.email, [...addresses]);
    const rows = await tx
      .selectDistinct({ address: accounts.email, language: accounts.locale })
      .from(accounts)
      .leftJoin(platformGrants, eq(platformGrants.accountId, accounts.id))
      .where(
        addresses.length > 0 ? named : and(inArray(platformGrants.role, [...LISTENERS]), isNull(accounts.disabledAt)),
      );
    const known = rows.flatMap(({ address, language }) => (address === null ? [] : [{ address, language }]));
    const others = addresses.filter((one) => !known.some(({ address }) => address === one));
    return [...known, ...others.map((address) => ({ address, language: 'en' as const }))];
  }
}

function said({ name, count, what }: Told, row: keyof typeof alertWords.platformNotices) {
  const inEach = (language: Language) =>
    sentence(alertWords.platformNotices[row], language, {
      ...{ alarm: alertWords.platform[name][language], what, count: `${count}` },
    });
  return Object.fromEntries(LANGUAGES.map((language) => [language, inEach(language)])) as unknown as Words;
}
