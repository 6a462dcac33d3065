// Notifies people about changes of their resources. SQL records what was last reported of each, so it is sent once, whichever
// gateway saw it first, and a starting gateway reports what happened while none was running, and nothing older.

import type { CommonStatus, KindFacts, KubeObject, Words } from '@gantry/contract/define-kind.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { localized } from '@gantry/contract/localized.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { eq, lt, sql } from 'drizzle-orm';
import type { Database, Sql } from '../db/open.ts';
import { reportedStates } from '../db/schema/messages.ts';
import type { MessageStore, NewNotice } from './message-store.ts';
import { QUIET, REPORTED, type ReportedKind, TEAM } from './reported-states.ts';

/** The cluster's objects. */
export interface Resources {
  list(facts: KindFacts): readonly KubeObject[];
  get(facts: KindFacts, namespace: string | undefined, name: string): KubeObject | undefined;
  /** Calls back on every change; returns a function that stops it. */
  on(listener: (change: { kind: KindFacts; before?: KubeObject; after?: KubeObject }) => void): () => void;
}

export interface ResourceMessagesParts {
  db: Database;
  store: MessageStore;
  resources: Resources;
  clock: Clock;
  log: { warn(facts: object, message: string): void };
}

type Seen = { reported: ReportedKind; object: KubeObject; isGone: boolean };
type TenantObject = KubeObject & { spec?: { displayName?: string; creator?: string }; status?: CommonStatus };

const RETRY_MS = 1_000;
const FORGET_AFTER_MS = 24 * 3_600_000;
const MOST_ROWS_AT_ONCE = 1_000;
/** A row that says when we began to report a kind: anything older is not news. */
const beginningOf = (facts: KindFacts): string => `kind/${facts.kind}`;

export class ResourceMessages {
  readonly #parts: ResourceMessagesParts;
  /** uid → the last reported state; quiet ones are left out. */
  readonly #known = new Map<string, string>();
  /** uid → the last seen state that is not handled yet. */
  readonly #waiting = new Map<string, Seen>();
  #stir: () => void = () => {};
  #isFailing = false;

  constructor(parts: ResourceMessagesParts) {
    this.#parts = parts;
  }

  /** Resolves once everything is known; tells until the signal. The resources are all seen by now. */
  async start(signal: AbortSignal): Promise<void> {
    const off = this.#parts.resources.on(({ kind, before, after }) => {
      const reported = REPORTED.find(({ facts }) => facts.kind === kind.kind);
      const object = after ?? before;
      if (reported && object) this.#see({ reported, object, isGone: !after });
    });
    signal.addEventListener('abort', off);
    for (const reported of REPORTED) await this.#begin(reported);
    void this.#follow(signal);
  }

  /** How many changes nobody has looked at yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  async #begin(reported: ReportedKind): Promise<void> {
    const { db, resources } = this.#parts;
    await db.transaction((tx) => this.#recordBeginning(tx, reported, resources.list(reported.facts)));
    const rows = await db.sql.select().from(reportedStates).where(eq(reportedStates.kind, reported.facts.kind));
    // The current objects, read before anything is awaited: changes meanwhile could not be compared with what is known.
    const objects = resources.list(reported.facts);
    const there = new Set(objects.map(identityOf));
    for (const { uid, state } of rows) if (there.has(uid)) this.#known.set(uid, state);
    for (const object of objects) this.#see({ reported, object, isGone: false });
    for (const { uid, goneAt } of rows)
      if (!there.has(uid) && uid !== beginningOf(reported.facts) && !goneAt) await this.#bury(uid);
  }

  /** If nobody has reported this kind before, the current objects count as known. */
  async #recordBeginning(
    tx: Sql,
    { facts, stateOf, states }: ReportedKind,
    objects: readonly KubeObject[],
  ): Promise<void> {
    const begun = await tx
      .insert(reportedStates)
      .values({ uid: beginningOf(facts), kind: facts.kind, state: QUIET, version: 0 })
      .onConflictDoNothing()
      .returning({ uid: reportedStates.uid });
    if (begun.length === 0) return;
    const rows = objects.map((object) => ({
      uid: identityOf(object),
      kind: facts.kind,
      state: worthTelling(states, stateOf(statusOf(object), object)),
      version: versionOf(object),
    }));
    for (let from = 0; from < rows.length; from += MOST_ROWS_AT_ONCE)
      await tx
        .insert(reportedStates)
        .values(rows.slice(from, from + MOST_ROWS_AT_ONCE))
        .onConflictDoNothing();
  }

  #see(seen: Seen): void {
    const uid = identityOf(seen.object);
    const { stateOf, states } = seen.reported;
    const state = worthTelling(states, stateOf(statusOf(seen.object), seen.object));
    const isKnown = seen.isGone ? !this.#known.has(uid) : (this.#known.get(uid) ?? QUIET) === state;
    if (isKnown && !this.#waiting.has(uid)) return;
    this.#waiting.delete(uid);
    this.#waiting.set(uid, seen);
    this.#stir();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      const [next] = this.#waiting;
      if (!next) {
        await this.#rest(signal);
        continue;
      }
      const [uid, seen] = next;
      try {
        await (seen.isGone ? this.#bury(uid) : this.#consider(uid, seen));
        // Anything that arrived meanwhile is handled in its turn.
        if (this.#waiting.get(uid) === seen) this.#waiting.delete(uid);
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing) log.warn({ err: error }, 'what happened to resources is told later');
        this.#isFailing = true;
        // An event that can never be delivered must not hold up the others.
        if (this.#waiting.get(uid) === seen && this.#waiting.delete(uid)) this.#waiting.set(uid, seen);
        await pause(clock, RETRY_MS, signal);
      }
    }
  }

  /** Until something is seen. */
  #rest(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', done);
        this.#stir = () => {};
        resolve();
      };
      this.#stir = done;
      signal.addEventListener('abort', done);
    });
  }

  async #consider(uid: string, { reported, object }: Seen): Promise<void> {
    const { stateOf, states, facts } = reported;
    const state = worthTelling(states, stateOf(statusOf(object), object));
    const version = versionOf(object);
    const before = this.#known.get(uid) ?? QUIET;
    const words = states[state]?.quietAfter?.includes(before) ? undefined : states[state];
    const audience = words && this.#audienceOf(reported, object);
    await this.#parts.db.transaction(async (tx) => {
      // Only the first of several gateways changes the line, and none that has seen less than it says.
      const changed = await tx
        .insert(reportedStates)
        .values({ uid, kind: facts.kind, state, version })
        .onConflictDoUpdate({
          target: reportedStates.uid,
          set: { state, version },
          setWhere: sql`${reportedStates.version} < ${version} and ${reportedStates.state} <> ${state} and ${reportedStates.goneAt} is null`,
        })
        .returning({ uid: reportedStates.uid });
      if (changed.length === 0 || !words || !audience) return;
      const title = inEach((language) => sentence(words.title, language, { name: this.#nameOf(reported, object) }));
      // No arguments: what a cluster or a tenant said is in the content, and may look like a sentence with gaps.
      const notice = {
        key: `${uid}/${version}/${state}`,
        title,
        content: contentOf(facts, object),
        ...linkOf(reported, object),
      };
      // Objects without a known creator concern those who are responsible for all.
      const roles = audience.also === undefined ? [...words.to, ...TEAM] : words.to;
      await this.#parts.store.send(notice, { ...audience, roles }, tx);
    });
    this.#parts.store.wake();
    if (state === QUIET) this.#known.delete(uid);
    else this.#known.set(uid, state);
  }

  async #bury(uid: string): Promise<void> {
    const { db, clock } = this.#parts;
    await db.sql
      .update(reportedStates)
      .set({ goneAt: new Date(clock.now()) })
      .where(eq(reportedStates.uid, uid));
    this.#known.delete(uid);
    await db.sql.delete(reportedStates).where(lt(reportedStates.goneAt, new Date(clock.now() - FORGET_AFTER_MS)));
  }

  /** The organisation, and the object's creator. Undefined for the platform's own. */
  #audienceOf(reported: ReportedKind, object: KubeObject): { organization: string; also?: string } | undefined {
    const { namespace, name } = object.metadata;
    const organization = namespace === undefined ? name : organizationOf(namespace);
    if (organization === undefined) return undefined;
    const also = (this.#subjectOf(reported, object) as TenantObject | undefined)?.spec?.creator;
    return { organization, ...(also !== undefined && { also }) };
  }

  #subjectOf({ about }: ReportedKind, object: KubeObject): KubeObject | undefined {
    const subject = about?.(object);
    return subject ? this.#parts.resources.get(subject.facts, object.metadata.namespace, subject.name) : object;
  }

  #nameOf(reported: ReportedKind, object: KubeObject): string {
    const subject = this.#subjectOf(reported, object) as TenantObject | undefined;
    return (
      subject?.spec?.displayName ?? subject?.metadata.name ?? reported.about?.(object).name ?? object.metadata.name
    );
  }
}

/** To the object that the message is about. An organisation has no page of its own in its list. */
function linkOf({ facts, about }: ReportedKind, object: KubeObject): Pick<NewNotice, 'object'> {
  if (object.metadata.namespace === undefined) return {};
  const subject = about?.(object) ?? { facts, name: object.metadata.name };
  return { object: { kind: subject.facts.plural, id: subject.name } };
}

const statusOf = (object: KubeObject): CommonStatus => (object as TenantObject).status ?? {};
const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion ?? 0);
const worthTelling = (states: ReportedKind['states'], state: string): string =>
  Object.hasOwn(states, state) ? state : QUIET;

/** The sentence of its reason; for a newer operator's unknown reason, that operator's own sentence. */
function contentOf(facts: KindFacts, object: KubeObject): Words {
  const { reasonArgs: args, ...status } = statusOf(object);
  return inEach((language) => localized(facts, { ...status, args }, language));
}

const inEach = (say: (language: Language) => string): Words => ({ en: say('en'), zh: say('zh'), ja: say('ja') });
