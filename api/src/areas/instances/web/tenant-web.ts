// Serves the web content of instances and of jobs' workers on a separate listener and domain: a ticket from the console becomes a cookie of one host, that
// host is one port of one of them, and the API never trusts anything here.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { OWN_HEADERS } from '../../../platform/http/own-headers.ts';
import { Agents } from '../../../platform/pods/agents.ts';
import type { SocketSource } from '../../../platform/pods/pod-socket.ts';
import { podAgent } from '../../../platform/pods/pod-stream.ts';
import { serviceAccountOf } from '../../../platform/pods/service-account.ts';
import type { Visitor } from '../../../platform/relay/heads.ts';
import { Pass } from '../../../platform/relay/pass.ts';
import { passSocket } from '../../../platform/relay/pass-socket.ts';
import { framingOf, isSound, isWebSocket } from '../../../platform/relay/passing-headers.ts';
import { headOf } from '../../../platform/relay/relay.ts';
import { type Replica, replicaAt } from '../../../platform/relay/upstream.ts';
import { type Access, isEntrance, isForeign, type Logins, type Visit, Visits } from '../../../platform/relay/visits.ts';
import type { Content } from './content-of.ts';
import { htmlOf, type Page } from './page.ts';
import { labelOf, prefixIn, prefixOf } from './place.ts';

export interface TenantWebParts {
  /** Somebody does something there: a page is opened, something is sent, a socket is opened. What a page polls is no visit. */
  visited?: ((namespace: string, instance: string) => void) | undefined;
  /** The visitors' origin, such as https://ports.example:8443; each content has a host below it, or a path in trying out. */
  origin: URL;
  /** The host of `origin` has a wildcard in DNS. */
  isWildcard: boolean;
  access: Access;
  logins: Logins;
  as: (user: string) => SocketSource;
  /**
   * The content that runs under this name: an instance, or a worker of a job as `<job>.<rank>`. Throws not_found, container_not_running.
   */
  running: (caller: Caller, name: string) => Content;
  languageOf: (accepted: string | undefined, of?: Language) => Language;
  addressOf: (req: IncomingMessage) => string;
  clock: Clock;
}

/** The way to one port of one Pod. */
interface WayIn {
  readonly replica: Replica;
  destroy(): void;
}

const MOST_WAYS_IN = 1_000;
/** The time limit of an upload that does not go on. */
const STALLED_MS = 600_000;
/** There is one Pod, and no other to ask. */
const NOWHERE_ELSE = { pick: () => undefined, avoid: () => {} };

export class TenantWeb {
  readonly #parts: TenantWebParts;
  readonly #waysIn = new Agents<WayIn>(MOST_WAYS_IN, ({ replica }) => replica.inFlight > 0);
  readonly #visits: Visits;

  constructor(parts: TenantWebParts) {
    this.#parts = parts;
    const { protocol } = parts.origin;
    const placeOf = (visit: Visit) => this.#placeOf(visit);
    this.#visits = new Visits({ ...parts, protocol, isHostOnly: parts.isWildcard, placeOf });
  }

  /** Throws not_found, container_not_running, port_not_published. */
  async issue(caller: Caller, name: string, asked: number | 'notebook'): Promise<{ url: string }> {
    const content = this.#parts.running(caller, name);
    const port = portOf(content, asked);
    if (port === undefined) throw problem('port_not_published', { port: asked });
    return { url: await this.#visits.link({ caller, instance: name, instanceUid: content.uid, port }) };
  }

  /** For its own listener; nothing else is ever served there. */
  answer(req: IncomingMessage, res: ServerResponse): void {
    this.#answer(req, res).catch(() => res.destroy());
  }

  /** Takes over every handshake there. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): true {
    this.#upgrade(req, socket, head).catch(() => socket.destroy());
    return true;
  }

  stop(): void {
    this.#waysIn.stop();
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!isSound(req)) return this.#page(req, res, 400, 'malformed');
    const prefix = this.#parts.isWildcard ? '' : (prefixIn(req.url ?? '') ?? '');
    const path = (req.url ?? '/').slice(prefix.length);
    if (isEntrance(path)) {
      if (!(await this.#visits.enter(req, res, path))) this.#page(req, res, 404, 'enter');
      return;
    }
    const visit = await this.#visits.of(req, prefix);
    if (!visit) return this.#page(req, res, 404, 'enter');
    if (isForeign(req)) return this.#page(req, res, 403, 'foreign');
    const content = this.#runningFor(visit);
    if (!content) return this.#page(req, res, 404, 'notRunning');
    if (isActive(req)) this.#parts.visited?.(visit.caller.organization.namespace, visit.instance);
    // A client that has left needs no answer.
    if (res.destroyed) return;
    // Without a listener Node cuts the connection off.
    if (framingOf(req)) req.setTimeout(STALLED_MS);
    // An answer may go on for hours.
    const unfollow = this.#parts.logins.follow(visit.caller.session, () => res.destroy());
    const visitor = this.#visitorOf(req, prefix);
    req.url = withoutPrefix(req, prefix);
    new Pass(req, res, this.#replicaOf(visit, content), {
      upstream: NOWHERE_ELSE,
      ownCookie: this.#visits.cookie,
      visitor,
      monotonic: () => this.#parts.clock.monotonic(),
      refuse: () => this.#page(req, res, 502, 'notAnswering'),
      done: unfollow,
    });
  }

  async #upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const prefix = this.#parts.isWildcard ? '' : (prefixIn(req.url ?? '') ?? '');
    const refuse = (status: number) => void socket.end(headOf(status, { connection: 'close', 'content-length': '0' }));
    if (!isSound(req) || !isWebSocket(req)) return refuse(400);
    const visit = await this.#visits.of(req, prefix);
    const content = visit && !isForeign(req) ? this.#runningFor(visit) : undefined;
    if (!visit || !content) return refuse(404);
    this.#parts.visited?.(visit.caller.organization.namespace, visit.instance);
    if (socket.destroyed) return;
    const unfollow = this.#parts.logins.follow(visit.caller.session, () => socket.destroy());
    const visitor = this.#visitorOf(req, prefix);
    req.url = withoutPrefix(req, prefix);
    const replica = this.#replicaOf(visit, content);
    passSocket(req, socket, head, { replica, ownCookie: this.#visits.cookie, visitor, done: unfollow });
  }

  /** The very thing that the ticket was for, running, and still publishing the port. */
  #runningFor({ caller, instance: name, instanceUid, port }: Visit): Content | undefined {
    try {
      const content = this.#parts.running(caller, name);
      return content.uid === instanceUid && portOf(content, port) !== undefined ? content : undefined;
    } catch {
      return undefined;
    }
  }

  #placeOf({ caller, instance, port }: Pick<Visit, 'caller' | 'instance' | 'port'>): { host: string; prefix: string } {
    const content = { organization: caller.organization.id, instance, port };
    const { host } = this.#parts.origin;
    return this.#parts.isWildcard
      ? { host: `${labelOf(content)}.${host}`, prefix: '' }
      : { host, prefix: prefixOf(content) };
  }

  #replicaOf({ caller, port }: Visit, { at }: Content): Replica {
    const user = serviceAccountOf(caller);
    const key = `${user} ${at.namespace}/${at.pod}:${port}`;
    const { as, clock } = this.#parts;
    return this.#waysIn.of(key, () => {
      const agent = podAgent(as(user), at, port);
      const replica = replicaAt({ pod: at.pod, ip: '', port, agent }, clock);
      return {
        replica,
        destroy() {
          replica.wires.destroy();
          agent.destroy();
        },
      };
    }).replica;
  }

  /** Our own headers do not reach the tenant's program. */
  #visitorOf(req: IncomingMessage, prefix: string): Visitor {
    return {
      address: this.#parts.addressOf(req),
      protocol: this.#parts.origin.protocol.slice(0, -1),
      cookie: this.#visits.others(req.headers.cookie),
      prefix: prefix === '' ? undefined : prefix,
    };
  }

  #page(req: IncomingMessage, res: ServerResponse, status: number, page: Page): void {
    if (res.headersSent) {
      res.destroy();
      return;
    }
    // A body that nobody has read would be taken for the next request.
    if (!req.complete) res.shouldKeepAlive = false;
    const html = htmlOf(page, this.#parts.languageOf(req.headers['accept-language']));
    res.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(html),
      ...OWN_HEADERS,
    });
    res.end(req.method === 'HEAD' ? undefined : html);
  }
}

function portOf({ ports, notebookPort }: Content, asked: number | 'notebook'): number | undefined {
  if (asked === 'notebook' || asked === notebookPort) return notebookPort;
  return ports.find((port) => port === asked);
}

/** As the program knows it. */
function withoutPrefix({ url = '/' }: IncomingMessage, prefix: string): string {
  const path = url.slice(prefix.length);
  return path.startsWith('/') ? path : `/${path}`;
}

/** A page that is left open goes on reading. */
const isActive = ({ method, headers }: IncomingMessage): boolean =>
  headers['sec-fetch-mode'] === 'navigate' || !['GET', 'HEAD', 'OPTIONS'].includes(method ?? 'GET');
