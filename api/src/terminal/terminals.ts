// The exec gateway: tickets for terminals, the WebSockets they open, and all of them to their end.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { canDo } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { TERMINAL_PATH } from '@gantry/contract/http/terminal.ts';
import type { TerminalEnd } from '@gantry/contract/http/terminal-status.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { instancePodName } from '@gantry/contract/names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { WebSocketServer } from 'ws';
import type { Caller } from '../identity/caller.ts';
import { PodShell } from '../pods/pod-shell.ts';
import type { SocketSource } from '../pods/pod-socket.ts';
import { serviceAccountOf } from '../pods/service-account.ts';
import type { Access, Granted, Target } from './access.ts';
import type { LoginWatch } from './login-watch.ts';
import type { OpenTerminals } from './open-terminals.ts';
import { LIMITS, type OpenShell, Terminal, type TerminalLimits } from './terminal.ts';

export interface TerminalsParts {
  access: Access;
  logins: LoginWatch;
  books: OpenTerminals;
  /** The API server as a user sees it. */
  as: (user: string) => SocketSource;
  findInstance: (namespace: string, id: string) => GpuInstance | undefined;
  /** Origins of pages that may open a terminal. */
  origins: readonly string[];
  region: string;
  clock: Clock;
  log: { warn(facts: object, message: string): void; error(facts: object, message: string): void };
  limits?: TerminalLimits;
  mostPerAccount?: number;
}

/** A browser pastes in pieces of at most this. */
const MOST_MESSAGE_BYTES = 1 << 20;
const MOST_PER_ACCOUNT = 64;
const CONTAINER = 'main';

export class Terminals {
  readonly #parts: TerminalsParts;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MOST_MESSAGE_BYTES, perMessageDeflate: false });
  readonly #open = new Map<Terminal, Caller>();
  /** Let in, and not open yet. */
  readonly #opening = new Set<Granted<Target>>();
  readonly #closing = new Set<Promise<void>>();
  #isStopping = false;

  constructor(parts: TerminalsParts) {
    this.#parts = parts;
  }

  /** `at`: where the caller expects it. Throws cluster_unknown, namespace_unknown, not_found, container_not_running, too_many_terminals. */
  async issue(
    caller: Caller,
    id: string,
    at: { cluster_id?: string | undefined; namespace?: string | undefined } = {},
  ) {
    const { cluster_id = this.#parts.region, namespace = caller.organization.namespace } = at;
    if (cluster_id !== this.#parts.region) throw problem('cluster_unknown');
    // Another organisation's does not exist for this caller.
    if (namespace !== caller.organization.namespace) throw problem('namespace_unknown');
    const instance = runningInstance(this.#parts.findInstance, caller, id);
    if (this.#isFull(caller)) throw problem('too_many_terminals', { most: this.#most });
    const ticket = await this.#parts.access.issue(caller, {
      instance: id,
      instanceUid: instance.metadata.uid ?? '',
    });
    return {
      ticket,
      url: `${TERMINAL_PATH}?${new URLSearchParams({ ticket })}`,
      cluster_id: this.#parts.region,
      namespace: caller.organization.namespace,
      container_name: CONTAINER,
    };
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
    if (req.headers.upgrade?.toLowerCase() !== 'websocket') return refuse(socket, 400);
    if (this.#isStopping) return refuse(socket, 503);
    const granted = await this.#parts.access.redeem(ticket, 'terminal');
    if (!granted || !(await this.#parts.logins.holds(granted.caller.session))) return refuse(socket, 401);
    const instance = this.#stillThere(granted);
    if (!instance) return refuse(socket, 409);
    // Asked again: any number of tickets may have been given out before the first was used.
    if (this.#isFull(granted.caller)) return refuse(socket, 429);
    this.#opening.add(granted);
    try {
      await this.#take(req, socket, head, granted, instance, { ip, language });
    } finally {
      this.#opening.delete(granted);
    }
  }

  async #take(
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    granted: Granted<Target>,
    instance: GpuInstance,
    { ip, language }: { ip: string; language: (of?: Language) => Language },
  ): Promise<void> {
    const book = await this.#parts.books.opened(granted.caller, granted.instance, ip);
    let isTaken = false;
    // If the browser has left, or its handshake is invalid, the socket just closes.
    const closed = new Promise<void>((resolve) => socket.once('close', resolve));
    this.#server.handleUpgrade(req, socket, head, (browser) => {
      isTaken = true;
      const terminal = new Terminal({
        browser,
        openShell: this.#shellOf(granted.caller, instance),
        language: language(granted.caller.account.locale),
        clock: this.#parts.clock,
        limits: this.#parts.limits ?? LIMITS,
      });
      this.#keep(terminal, granted, (end, exitCode) => this.#parts.books.closed(book, end, exitCode));
    });
    if (isTaken) return;
    await closed;
    await this.#parts.books.closed(book, 'left');
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
    { caller, instance }: Granted<Target>,
    close: (end: TerminalEnd, exitCode?: number) => Promise<void>,
  ): void {
    this.#open.set(terminal, caller);
    const where = { account: caller.account.id, organization: caller.organization.id, instance };
    const unfollow = this.#parts.logins.follow(caller.session, () => terminal.end({ end: 'signedOut' }));
    const closing = terminal.ended
      .then(({ end, exitCode, why }) => {
        unfollow();
        this.#open.delete(terminal);
        if (end === 'badOutput') this.#parts.log.warn({ ...where, why }, 'the agent in an instance sent invalid data');
        if (end === 'failed') this.#parts.log.error({ ...where, why }, 'a terminal failed');
        return close(end, exitCode);
      })
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, "a terminal's end is not in the audit log yet"))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  /** The same one that the ticket was for, and still running. */
  #stillThere({ caller, instance: id, instanceUid }: Granted<Target>): GpuInstance | undefined {
    const instance = this.#parts.findInstance(caller.organization.namespace, id);
    return instance?.metadata.uid === instanceUid && mayLogIn(instance) ? instance : undefined;
  }

  #shellOf(caller: Caller, instance: GpuInstance): OpenShell {
    const at = podOf(instance);
    return (size, events) => PodShell.open(this.#parts.as(serviceAccountOf(caller)), at, size, events);
  }
}

const mayLogIn = (instance: GpuInstance): boolean => canDo(gpuInstance, 'login', instance);

/** Throws not_found, container_not_running. */
export function runningInstance(find: TerminalsParts['findInstance'], caller: Caller, id: string): GpuInstance {
  const instance = find(caller.organization.namespace, id);
  if (!instance) throw problem('not_found', { what: id });
  if (!mayLogIn(instance)) throw problem('container_not_running');
  return instance;
}

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
