// The exec gateway: tickets for terminals, the WebSockets they open, and all of them to their end.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { TERMINAL_PATH } from '@gantry/contract/areas/instances/terminal.ts';
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { instancePodName } from '@gantry/contract/names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { WebSocketServer } from 'ws';
import type { LoginWatch } from '../../../core/identity/sessions/login-watch.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { OldAgent, PodShell } from '../../../platform/pods/pod-shell.ts';
import { PodUnreachable } from '../../../platform/pods/pod-socket.ts';
import { serviceAccountOf } from '../../../platform/pods/service-account.ts';
import { TtyShell } from '../../../platform/pods/tty-shell.ts';
import type { Access, Granted, TerminalTarget } from '../../../platform/relay/access.ts';
import { isSound, isWebSocket } from '../../../platform/relay/passing-headers.ts';
import { type FindObject, type Part, type Place, placeAt, placeOf } from './place.ts';
import { type Ending, LIMITS, type OpenShell, Terminal, type TerminalLimits } from './terminal.ts';
import type { OpenTerminal, SessionsOf, TerminalBooks } from './terminal-books.ts';

export interface TerminalsParts {
  access: Access;
  logins: LoginWatch;
  books: TerminalBooks;
  find: FindObject;
  /** Origins of pages that may open a terminal. */
  origins: readonly string[];
  region: string;
  clock: Clock;
  log: { warn(facts: object, message: string): void; error(facts: object, message: string): void };
  limits?: TerminalLimits;
  mostPerAccount?: number;
  /** For how long a session stays while nobody is attached. */
  keepMs: number;
}

/** A person's, in one instance: each holds a process and what was last shown. */
const MOST_SESSIONS = 8;

/** A browser pastes in pieces of at most this. */
const MOST_MESSAGE_BYTES = 1 << 20;
const MOST_PER_ACCOUNT = 64;
const CONTAINER = 'main';

export class Terminals {
  readonly #parts: TerminalsParts;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_MESSAGE_BYTES,
    perMessageDeflate: false,
    // Others have their turn between two messages, of which a browser may send any number.
    allowSynchronousEvents: false,
  });
  readonly #open = new Map<Terminal, Caller>();
  /** Let in, and not open yet. */
  readonly #opening = new Set<Granted<TerminalTarget>>();
  readonly #closing = new Set<Promise<void>>();
  #isStopping = false;

  constructor(parts: TerminalsParts) {
    this.#parts = parts;
  }

  /**
   * `at`: where the caller expects it, and `session`: `new`, or one of the caller's. Throws cluster_unknown, namespace_unknown,
   * not_found, container_not_running, too_many_terminals, too_many_terminal_sessions.
   */
  async issue(
    caller: Caller,
    id: string,
    at: { cluster_id?: string | undefined; namespace?: string | undefined; session?: string | undefined } = {},
  ) {
    const { cluster_id = this.#parts.region, namespace = caller.organization.namespace, session = null } = at;
    if (cluster_id !== this.#parts.region) throw problem('cluster_unknown');
    // Another organisation's does not exist for this caller.
    if (namespace !== caller.organization.namespace) throw problem('namespace_unknown');
    const place = placeOf(this.#parts.find, gpuInstance, namespace, id);
    this.#mustHaveRoom(caller);
    if (session === 'new') {
      if (await this.#hasAllSessions(caller, place))
        throw problem('too_many_terminal_sessions', { most: MOST_SESSIONS });
    } else if (session !== null) await this.#mustHave(caller, place, session);
    return this.#ticketFor(caller, place, session);
  }

  /** A ticket for a worker or a replica, whose shell ends with its WebSocket. Throws as `issue` does. */
  async issuePart(caller: Caller, facts: KindFacts, id: string, part: Part) {
    const place = placeOf(this.#parts.find, facts, caller.organization.namespace, id, part);
    this.#mustHaveRoom(caller);
    return this.#ticketFor(caller, place, null);
  }

  async #ticketFor(caller: Caller, { key, object }: Place, session: string | null) {
    const instanceUid = object.metadata.uid ?? '';
    const ticket = await this.#parts.access.issue(caller, { instance: key, instanceUid, session });
    return {
      ticket,
      url: `${TERMINAL_PATH}?${new URLSearchParams({ ticket })}`,
      cluster_id: this.#parts.region,
      namespace: caller.organization.namespace,
      container_name: CONTAINER,
    };
  }

  /** The caller's own in the current run; throws not_found. Without a run there are none. */
  async sessions(caller: Caller, id: string) {
    const found = this.#parts.find(gpuInstance, caller.organization.namespace, id);
    if (!found) throw problem('not_found', { what: id });
    const place = { key: id, object: found.object, at: podOf(found.object as GpuInstance) };
    const sessions = await this.#parts.books.sessions(sessionsOf(caller, place));
    return sessions.map((one) => ({ id: one.id, created_at: one.createdAt.toISOString(), is_open: one.isOpen }));
  }

  /** Throws not_found, container_not_running, unavailable. */
  async endSession(
    caller: Caller,
    id: string,
    session: string,
    { ip, signal }: { ip: string; signal: AbortSignal },
  ): Promise<void> {
    const place = placeOf(this.#parts.find, gpuInstance, caller.organization.namespace, id);
    await this.#mustHave(caller, place, session);
    const source = place.as(serviceAccountOf(caller));
    await PodShell.endKept(source, place.at, session, signal).catch((error: unknown) => {
      throw error instanceof PodUnreachable ? problem('unavailable') : error;
    });
    await this.#parts.books.ended(sessionsOf(caller, place), session, ip);
  }

  /** Takes over a WebSocket's handshake that is ours; says whether it was. */
  upgrade(
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    facts: { ip: string; language: (of?: Language) => Language },
  ): boolean {
    // A stranger's request target need not be a URL at all.
    const [path, query] = (req.url ?? '').split('?', 2);
    if (path !== TERMINAL_PATH) return false;
    this.#upgrade(req, socket, head, new URLSearchParams(query).get('ticket') ?? '', facts).catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'a terminal could not be opened');
      refuse(socket, 500);
    });
    return true;
  }

  /** Ends all that are open, and resolves once the books are closed. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const terminal of this.#open.keys()) terminal.end({ end: 'restart' });
    await Promise.all(this.#closing);
  }

  async #upgrade(
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    ticket: string,
    { ip, language }: { ip: string; language: (of?: Language) => Language },
  ): Promise<void> {
    const { origin } = req.headers;
    // Programs send no Origin, and have a ticket; a page always sends one.
    if (origin !== undefined && !this.#parts.origins.includes(origin)) return refuse(socket, 403);
    if (!isSound(req) || !isWebSocket(req)) return refuse(socket, 400);
    if (this.#isStopping) return refuse(socket, 503);
    const granted = await this.#parts.access.redeem(ticket, 'terminal');
    if (!granted || !(await this.#parts.logins.holds(granted.caller.session))) return refuse(socket, 401);
    const { caller, session } = granted;
    const place = placeAt(this.#parts.find, caller.organization.namespace, granted.instance, granted.instanceUid);
    if (!place) return refuse(socket, 409);
    // Asked again: any number of tickets may have been given out before the first was used. Without a wait between the two,
    // tickets used at once count each other.
    if (this.#isFull(caller)) return refuse(socket, 429);
    this.#opening.add(granted);
    try {
      if (session !== null && session !== 'new' && !(await this.#hasSession(caller, place, session))) {
        return refuse(socket, 409);
      }
      await this.#take(req, socket, head, granted, place, { ip, language });
    } finally {
      this.#opening.delete(granted);
    }
  }

  async #take(
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    granted: Granted<TerminalTarget>,
    place: Place,
    { ip, language }: { ip: string; language: (of?: Language) => Language },
  ): Promise<void> {
    const { books } = this.#parts;
    const isNew = granted.session === 'new';
    const book = isNew
      ? await books.begun(sessionsOf(granted.caller, place), ip, MOST_SESSIONS)
      : await books.opened(granted.caller, granted.instance, ip, granted.session);
    if (!book) return refuse(socket, 429);
    let isTaken = false;
    // If the browser has left, or its handshake is invalid, the socket just closes.
    const closed = new Promise<void>((resolve) => socket.once('close', resolve));
    this.#server.handleUpgrade(req, socket, head, (browser) => {
      isTaken = true;
      const terminal = new Terminal({
        browser,
        openShell: this.#shellOf(granted.caller, place, book.session, isNew),
        ...(book.session !== null && { session: { id: book.session, isNew } }),
        language: language(granted.caller.account.locale),
        clock: this.#parts.clock,
        limits: this.#parts.limits ?? LIMITS,
      });
      this.#keep(terminal, granted, ({ end, exitCode, isLeft }) =>
        isLeft && isKept(book) ? books.left(book, end) : books.closed(book, end, exitCode),
      );
    });
    if (isTaken) return;
    await closed;
    if (!isNew && isKept(book)) await books.left(book, 'left');
    else await books.closed(book, 'left');
  }

  #mustHaveRoom(caller: Caller): void {
    if (this.#isFull(caller)) throw problem('too_many_terminals', { most: this.#most });
  }

  get #most(): number {
    return this.#parts.mostPerAccount ?? MOST_PER_ACCOUNT;
  }

  #isFull({ account }: Caller): boolean {
    const callers = [...this.#open.values(), ...[...this.#opening].map(({ caller }) => caller)];
    return callers.filter((one) => one.account.id === account.id).length >= this.#most;
  }

  #keep(
    terminal: Terminal,
    { caller, instance }: Granted<TerminalTarget>,
    close: (ending: Ending) => Promise<void>,
  ): void {
    this.#open.set(terminal, caller);
    const where = { account: caller.account.id, organization: caller.organization.id, instance };
    const unfollow = this.#parts.logins.follow(caller.session, () => terminal.end({ end: 'signedOut' }));
    const closing = terminal.ended
      .then((ending) => {
        const { end, why } = ending;
        unfollow();
        this.#open.delete(terminal);
        if (end === 'badOutput') this.#parts.log.warn({ ...where, why }, 'the agent in an instance sent invalid data');
        if (end === 'failed') this.#parts.log.error({ ...where, why }, 'a terminal failed');
        return close(ending);
      })
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, "a terminal's end is not in the audit log yet"))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #shellOf(caller: Caller, { at, as, hasAgent }: Place, session: string | null, isNew: boolean): OpenShell {
    const { books, keepMs, clock } = this.#parts;
    const source = as(serviceAccountOf(caller));
    return async (size, events) => {
      if (!hasAgent) return TtyShell.open(source, at, size, events);
      if (session === null) return PodShell.open(source, at, size, events);
      try {
        return await PodShell.open(source, at, size, events, { session, clock, ...(isNew && { startMs: keepMs }) });
      } catch (error) {
        if (!(error instanceof OldAgent)) throw error;
        // The instance started before there were sessions: its shell ends with the terminal.
        await books.forgotten(session);
        return PodShell.open(source, at, size, events);
      }
    };
  }

  #hasSession(caller: Caller, place: Sessioned, session: string): Promise<boolean> {
    return this.#parts.books.hasSession(sessionsOf(caller, place), session);
  }

  async #mustHave(caller: Caller, place: Sessioned, session: string): Promise<void> {
    if (!(await this.#hasSession(caller, place, session))) throw problem('not_found', { what: session });
  }

  async #hasAllSessions(caller: Caller, place: Sessioned): Promise<boolean> {
    return (await this.#parts.books.sessions(sessionsOf(caller, place))).length >= MOST_SESSIONS;
  }
}

type Sessioned = Pick<Place, 'key' | 'object' | 'at'>;

const sessionsOf = (caller: Caller, { key, object, at }: Sessioned): SessionsOf => ({
  caller,
  instance: key,
  instanceUid: object.metadata.uid ?? '',
  pod: at.pod,
});

const isKept = (terminal: OpenTerminal): terminal is OpenTerminal & { session: string } => terminal.session !== null;

/** The Pod of the current run. */
export const podOf = ({ metadata, status }: GpuInstance) => ({
  namespace: metadata.namespace ?? '',
  pod: instancePodName(metadata.name, status?.run?.seq ?? 1),
});

const REASON: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  409: 'Conflict',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Before the handshake a browser shows nothing of an answer but that it failed. */
function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${REASON[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
