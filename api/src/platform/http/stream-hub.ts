// All listeners, and what they receive. Readers of one organisation with the same language, role and interests get the same
// bytes, which are made once.
import { randomBytes } from 'node:crypto';
import type { MessagePage, ResourceEvent } from '@gantry/contract/areas/messages/messages.ts';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type Image, image } from '@gantry/contract/kinds/image.ts';
import { organizationOf, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { OrgRole, ShownRole } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { CLIENT_LIMITS, type ClientLimits, type Sink, StreamClient } from './stream-client.ts';
import { bodyOf, frame, heartbeat, idOf, type Position } from './stream-frames.ts';
import { LOG_LIMITS, type LogLimits, StreamLog } from './stream-log.ts';

/** A change on the cluster: `before` is undefined for new objects, `after` for deleted ones. */
export interface ResourceChange {
  kind: KindFacts;
  namespace?: string;
  name: string;
  before?: KubeObject;
  after?: KubeObject;
}

/** The reader of a stream. */
export interface Listener {
  session: string;
  account: string;
  organization: string;
  /** The role whose view they get. */
  role: ShownRole;
  /** The role of the membership: that of an API token may be shown less. */
  membership: OrgRole;
  language: Language;
  /** Plural names of the kinds whose changes they receive. */
  watches: readonly string[];
  /** Messages are a person's: an API token stands for none. */
  isPerson: boolean;
}

export interface HubLimits {
  ofSession: number;
  ofAccount: number;
  altogether: number;
  log: LogLimits;
  client: ClientLimits;
}

export const HUB_LIMITS: HubLimits = {
  ofSession: 10,
  ofAccount: 50,
  altogether: 20_000,
  log: LOG_LIMITS,
  client: CLIENT_LIMITS,
};

export interface HubParts {
  clock: Clock;
  /** An object as its collection shows it. */
  view(facts: KindFacts, object: KubeObject, language: Language, role: ShownRole): object;
  /** An object that cannot be shown is left out of the stream. */
  onFault?(error: unknown): void;
  limits?: Partial<HubLimits>;
}

/** Messages of one reader that are new. */
export interface News {
  account: string;
  organization: string;
  page(language: Language): MessagePage;
}

interface Entry {
  readonly kind: KindFacts;
  /** As it is, or as it last was. */
  readonly object: KubeObject;
  readonly type: ResourceEvent['type'];
  /** By language and role. */
  readonly bodies: Map<string, string>;
}

interface Cohort {
  readonly key: string;
  readonly language: Language;
  readonly role: ShownRole;
  readonly watches: ReadonlySet<string>;
  readonly clients: Set<StreamClient>;
}

/** A stream that was joined and waits for its beginning. */
export interface Joined {
  client: StreamClient;
  /** Everything up to here belongs to the beginning; the rest follows live. */
  position: Position;
}

/** Changes that arrive together are sent together: fewer, larger writes. */
const GATHER_MS = 10;
/** Stands for all organisations: what the platform offers is in everybody's lists. */
const EVERYBODY = '*';

export class StreamHub {
  readonly epoch = randomBytes(5).toString('hex');
  readonly #parts: HubParts;
  readonly #limits: HubLimits;
  readonly #log: StreamLog<Entry>;
  readonly #cohorts = new Map<string, Map<string, Cohort>>();
  readonly #streams = new Map<StreamClient, Listener>();
  readonly #bySession = new Map<string, Set<StreamClient>>();
  readonly #byAccount = new Map<string, Set<StreamClient>>();
  readonly #pending = new Map<string, { number: number; entry: Entry }[]>();
  #messages = 0;
  #isClosed = false;
  #calledOff: (() => void) | undefined;
  #restUntil = 0;

  constructor(parts: HubParts) {
    this.#parts = parts;
    this.#limits = { ...HUB_LIMITS, ...parts.limits };
    this.#log = new StreamLog(this.#limits.log);
  }

  get size(): number {
    return this.#streams.size;
  }

  get position(): Position {
    return { messages: this.#messages, epoch: this.epoch, changes: this.#log.last };
  }

  /** The limit that one more stream would exceed, if any. */
  refusal({ session, account }: Pick<Listener, 'session' | 'account'>): 'session' | 'account' | 'gateway' | undefined {
    if ((this.#bySession.get(session)?.size ?? 0) >= this.#limits.ofSession) return 'session';
    if ((this.#byAccount.get(account)?.size ?? 0) >= this.#limits.ofAccount) return 'account';
    return this.#isClosed || this.#streams.size >= this.#limits.altogether ? 'gateway' : undefined;
  }

  /** From here on everything new is held for the client until it begins. */
  join(listener: Listener, sink: Sink): Joined {
    this.flush();
    const cohort = this.#cohortOf(listener);
    const client: StreamClient = new StreamClient(sink, () => this.#left(client, cohort), this.#limits.client);
    cohort.clients.add(client);
    this.#streams.set(client, listener);
    put(this.#bySession, listener.session, client);
    put(this.#byAccount, listener.account, client);
    return { client, position: this.position };
  }

  /**
   * A joined client's first events, as text: its page, which covers all its messages up to `to`, and the changes of its
   * organisation's resources since `seen`, the last id that it got.
   */
  beginning(
    { organization, language, role, watches }: Listener,
    seen: Position | undefined,
    to: Position,
    page: MessagePage,
  ): string {
    const isOurs = seen?.epoch === this.epoch && seen.changes <= to.changes;
    const begun = isOurs ? { ...to, changes: seen.changes } : to;
    const first = frame(idOf(begun), bodyOf(page));
    if (!seen || watches.length === 0) return first;
    const { entries, lost } = isOurs
      ? this.#missed(seen.changes, organization, watches)
      : { entries: [], lost: watches };
    const reset = lost.length > 0 ? frame(idOf(begun), bodyOf({ kinds: lost }, 'reset')) : '';
    const missed = entries
      .filter(({ number }) => number <= to.changes)
      .map(({ number, value }) => this.#frameOf(idOf({ ...to, changes: number }), value, language, role));
    return first + reset + missed.join('');
  }

  change(change: ResourceChange): void {
    const organization = ownerOf(change);
    const { kind, before, after } = change;
    const object = after ?? before;
    if (organization === undefined || !object) return;
    const isThere = after && (organization !== EVERYBODY || isOffered(after));
    const entry: Entry = { kind, object, type: isThere ? 'put' : 'delete', bodies: new Map() };
    const number = this.#log.add(organization, kind.plural, entry);
    // In the order over all organisations: a client's position is one number.
    for (const listening of organization === EVERYBODY ? this.#cohorts.keys() : [organization])
      this.#wait(listening, { number, entry });
  }

  /** Messages up to number `upTo` are out: sends each reader theirs. */
  tell(upTo: number, news: readonly News[]): void {
    this.flush();
    this.#messages = Math.max(this.#messages, upTo);
    const id = idOf(this.position);
    for (const { account, organization, page } of news) {
      const chunks = new Map<Language, Buffer>();
      for (const client of this.#byAccount.get(account) ?? []) {
        const listener = this.#streams.get(client) as Listener;
        if (!listener.isPerson || listener.organization !== organization) continue;
        const { language } = listener;
        const chunk = chunks.get(language) ?? Buffer.from(frame(id, bodyOf(page(language))));
        chunks.set(language, chunk);
        client.write(chunk);
      }
    }
  }

  /** Messages were deleted. A listener for messages alone knows no other events, and reads them again with the next page. */
  reread(): void {
    this.flush();
    const chunk = Buffer.from(frame(idOf(this.position), bodyOf({ kinds: ['messages'] }, 'reset')));
    for (const [client, { watches }] of [...this.#streams]) if (watches.length > 0) client.write(chunk);
  }

  /** Sends what has changed since the last time. */
  flush(): void {
    this.#calledOff?.();
    this.#calledOff = undefined;
    if (this.#pending.size === 0) return;
    const begun = this.#parts.clock.monotonic();
    for (const [organization, entries] of this.#pending)
      for (const cohort of this.#cohorts.get(organization)?.values() ?? []) this.#tellCohort(cohort, entries);
    this.#pending.clear();
    const now = this.#parts.clock.monotonic();
    // At most half of the time goes into this: under load more is gathered, not more written.
    this.#restUntil = now + Math.max(GATHER_MS, now - begun);
  }

  beat(): void {
    this.flush();
    const chunk = Buffer.from(heartbeat(idOf(this.position)));
    for (const client of [...this.#streams.keys()]) client.beat(chunk);
  }

  listeners(): Iterable<readonly [StreamClient, Listener]> {
    return this.#streams;
  }

  /** The listeners, each reader once. */
  readers(): { account: string; organization: string }[] {
    const readers = new Map<string, { account: string; organization: string }>();
    for (const { account, organization } of this.#streams.values())
      readers.set(`${account}/${organization}`, { account, organization });
    return [...readers.values()];
  }

  endAll(): void {
    this.flush();
    for (const client of [...this.#streams.keys()]) client.end();
  }

  /** For a gateway that stops: its clients go on at another. */
  close(): void {
    this.#isClosed = true;
    this.endAll();
  }

  #wait(organization: string, waiting: { number: number; entry: Entry }): void {
    if (!this.#cohorts.has(organization)) return;
    const pending = this.#pending.get(organization);
    if (pending) pending.push(waiting);
    else this.#pending.set(organization, [waiting]);
    this.#schedule();
  }

  #missed(seen: number, organization: string, watches: readonly string[]) {
    const own = this.#log.after(seen, organization, watches);
    const offered = this.#log.after(
      seen,
      EVERYBODY,
      watches.filter((plural) => plural === image.plural),
    );
    return {
      entries: [...own.entries, ...offered.entries].sort((a, b) => a.number - b.number),
      lost: [...new Set([...own.lost, ...offered.lost])],
    };
  }

  #schedule(): void {
    if (this.#calledOff) return;
    const { clock } = this.#parts;
    this.#calledOff = clock.after(Math.max(0, this.#restUntil - clock.monotonic()), () => {
      this.#calledOff = undefined;
      this.flush();
    });
  }

  #tellCohort(
    { language, role, watches, clients }: Cohort,
    entries: readonly { number: number; entry: Entry }[],
  ): void {
    let text = '';
    for (const { number, entry } of entries)
      if (watches.has(entry.kind.plural))
        text += this.#frameOf(
          idOf({ messages: this.#messages, epoch: this.epoch, changes: number }),
          entry,
          language,
          role,
        );
    if (text === '') return;
    const chunk = Buffer.from(text);
    for (const client of clients) client.write(chunk);
  }

  /** Most of these come from a timer, where an exception would end the process for everybody. */
  #frameOf(id: string, entry: Entry, language: Language, role: ShownRole): string {
    try {
      return frame(id, this.#bodyOf(entry, language, role));
    } catch (error) {
      this.#parts.onFault?.(error);
      return '';
    }
  }

  #bodyOf({ kind, object, type, bodies }: Entry, language: Language, role: ShownRole): string {
    const key = `${language}/${role}`;
    const made = bodies.get(key);
    if (made !== undefined) return made;
    const { name, resourceVersion = '0' } = object.metadata;
    const event: ResourceEvent = {
      kind: kind.kind,
      id: name,
      type,
      ...(type === 'put' && { view: { ...this.#parts.view(kind, object, language, role) } }),
      version: resourceVersion,
    };
    const body = bodyOf(event, 'resource');
    bodies.set(key, body);
    return body;
  }

  #cohortOf({ organization, language, role, watches }: Listener): Cohort {
    const key = `${language}/${role}/${[...watches].sort().join()}`;
    const cohorts = this.#cohorts.get(organization) ?? new Map<string, Cohort>();
    this.#cohorts.set(organization, cohorts);
    const cohort = cohorts.get(key) ?? { key, language, role, watches: new Set(watches), clients: new Set() };
    cohorts.set(key, cohort);
    return cohort;
  }

  #left(client: StreamClient, cohort: Cohort): void {
    const { session, account, organization } = this.#streams.get(client) as Listener;
    this.#streams.delete(client);
    take(this.#bySession, session, client);
    take(this.#byAccount, account, client);
    cohort.clients.delete(client);
    if (cohort.clients.size > 0) return;
    const cohorts = this.#cohorts.get(organization);
    cohorts?.delete(cohort.key);
    if (cohorts?.size === 0) this.#cohorts.delete(organization);
  }
}

/** An Organization is its own; everything else lives in its namespace, save for what the platform offers to all. */
function ownerOf({ kind, namespace, name, before, after }: ResourceChange): string | undefined {
  if (kind.scope === 'Cluster') return kind.kind === 'Organization' ? name : undefined;
  if (kind.kind === image.kind && namespace === PLATFORM_NAMESPACE)
    return isOffered(before) || isOffered(after) ? EVERYBODY : undefined;
  return namespace === undefined ? undefined : organizationOf(namespace);
}

const isOffered = (object: KubeObject | undefined): boolean => (object as Image | undefined)?.spec?.official === true;

function put(map: Map<string, Set<StreamClient>>, key: string, client: StreamClient): void {
  const clients = map.get(key);
  if (clients) clients.add(client);
  else map.set(key, new Set([client]));
}

function take(map: Map<string, Set<StreamClient>>, key: string, client: StreamClient): void {
  const clients = map.get(key);
  clients?.delete(client);
  if (clients?.size === 0) map.delete(key);
}
