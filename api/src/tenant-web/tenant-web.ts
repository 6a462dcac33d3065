// Serves the web content of instances and of jobs' workers on a separate listener and domain: a ticket from the console becomes a cookie of one host, that
// host is one port of one of them, and the API never trusts anything here.

import type { Agent, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { createProxyServer } from 'http-proxy-3';
import type { Caller } from '../identity/caller.ts';
import { OWN_HEADERS } from '../own-headers.ts';
import { Agents } from '../pods/agents.ts';
import type { SocketSource } from '../pods/pod-socket.ts';
import { podAgent } from '../pods/pod-stream.ts';
import { serviceAccountOf } from '../pods/service-account.ts';
import { cleanHeaders } from './clean-answer.ts';
import { htmlOf, type Page } from './page.ts';
import { passUpgrade } from './pass-upgrade.ts';
import { labelOf, prefixIn, prefixOf } from './place.ts';
import { type Access, isEntrance, isForeign, type Logins, type Visit, Visits } from './visits.ts';

/** Something of a tenant's that runs and serves. */
export interface Content {
  uid: string;
  at: { namespace: string; pod: string };
  ports: readonly number[];
  notebookPort?: number;
}

export interface TenantWebParts {
  /** Somebody does something there: a page is opened, something is sent, a socket is opened. What a page polls is no visit. */
  visited?: ((namespace: string, instance: string) => void) | undefined;
  /** Where visitors come in, such as https://ports.example:8443; each content has a host below it, or a path in trying out. */
  origin: URL;
  /** The host of `origin` has a wildcard in DNS. */
  isWildcard: boolean;
  access: Access;
  logins: Logins;
  as: (user: string) => SocketSource;
  /**
   * What runs under this name: an instance, or a worker of a job as `<job>.<rank>`. Throws not_found, container_not_running.
   */
  running: (caller: Caller, name: string) => Content;
  languageOf: (accepted: string | undefined, of?: Language) => Language;
  clock: Clock;
}

/** The lowest status of a final HTTP answer. */
const LEAST_STATUS = 200;
const MOST_STATUS = 599;
const MOST_AGENTS = 1_000;
/** Not for the program behind the proxy, or set anew by it. */
const STRIPPED = [
  'x-token',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
  'forwarded',
];

export class TenantWeb {
  readonly #parts: TenantWebParts;
  readonly #proxy = createProxyServer({ xfwd: true });
  readonly #agents = new Agents(MOST_AGENTS);
  readonly #isSecure: boolean;
  readonly #visits: Visits;

  constructor(parts: TenantWebParts) {
    this.#parts = parts;
    this.#isSecure = parts.origin.protocol === 'https:';
    const { protocol } = parts.origin;
    const placeOf = (visit: Visit) => this.#placeOf(visit);
    this.#visits = new Visits({ ...parts, protocol, isHostOnly: parts.isWildcard, placeOf });
    this.#proxy.on('proxyReq', (asked, req, res) => {
      // Node says nothing more of a request whose answer is a switch of protocols that nobody asked for.
      asked.once('upgrade', (_answer, inside) => {
        inside.destroy();
        this.#page(req, res, 502, 'notAnswering');
      });
    });
    this.#proxy.on('proxyRes', (answer, _req, res) => {
      makeSendable(answer, this.#visits.cookie);
      // Half an answer must not look whole, nor leave the visitor waiting for the rest.
      answer.once('close', () => {
        if (!answer.complete) res.destroy();
      });
    });
    this.#proxy.on('error', (_error, req, res) => {
      if ('writeHead' in res) this.#page(req, res, 502, 'notAnswering');
      else res.destroy();
    });
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
    this.#agents.stop();
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
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
    this.#clean(req, prefix);
    // A client that has left needs no answer.
    if (res.destroyed) return;
    // An answer may go on for hours.
    res.once(
      'close',
      this.#parts.logins.follow(visit.caller.session, () => res.destroy()),
    );
    this.#proxy.web(req, res, { target: TARGET, agent: this.#agentOf(visit, content) });
  }

  async #upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const prefix = this.#parts.isWildcard ? '' : (prefixIn(req.url ?? '') ?? '');
    const visit = await this.#visits.of(req, prefix);
    const content = visit && !isForeign(req) ? this.#runningFor(visit) : undefined;
    if (!visit || !content) {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    this.#parts.visited?.(visit.caller.organization.namespace, visit.instance);
    this.#clean(req, prefix);
    this.#forward(req);
    if (socket.destroyed) return;
    const unfollow = this.#parts.logins.follow(visit.caller.session, () => socket.destroy());
    socket.once('close', unfollow);
    passUpgrade(req, socket, head, { agent: this.#agentOf(visit, content), ownCookie: this.#visits.cookie });
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

  #agentOf({ caller, port }: Visit, { at }: Content): Agent {
    const user = serviceAccountOf(caller);
    const key = `${user} ${at.namespace}/${at.pod}:${port}`;
    return this.#agents.of(key, () => podAgent(this.#parts.as(user), at, port));
  }

  /** Our own headers do not reach the tenant's program. */
  #clean(req: IncomingMessage, prefix: string): void {
    for (const name of STRIPPED) delete req.headers[name];
    const others = this.#visits.others(req.headers.cookie);
    if (others !== undefined) req.headers.cookie = others;
    else delete req.headers.cookie;
    const path = (req.url ?? '/').slice(prefix.length);
    req.url = path.startsWith('/') ? path : `/${path}`;
    if (prefix !== '') req.headers['x-forwarded-prefix'] = prefix;
  }

  /** The headers that the proxy sets on ordinary requests. */
  #forward(req: IncomingMessage): void {
    req.headers['x-forwarded-for'] = req.socket.remoteAddress ?? '';
    req.headers['x-forwarded-proto'] = this.#isSecure ? 'wss' : 'ws';
    req.headers['x-forwarded-host'] = req.headers.host ?? '';
  }

  #page(req: IncomingMessage, res: ServerResponse, status: number, page: Page): void {
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const html = htmlOf(page, this.#parts.languageOf(req.headers['accept-language']));
    res.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(html),
      ...OWN_HEADERS,
    });
    res.end(req.method === 'HEAD' ? undefined : html);
  }
}

/** The agent leads to the Pod, whatever stands here. */
const TARGET = 'http://instance';

function portOf({ ports, notebookPort }: Content, asked: number | 'notebook'): number | undefined {
  if (asked === 'notebook' || asked === notebookPort) return notebookPort;
  return ports.find((port) => port === asked);
}

/**
 * Node can read answers that it refuses to write, and the proxy writes where nobody catches: a program's answer must not end the
 * gateway.
 */
function makeSendable(answer: IncomingMessage, ownCookie: string): void {
  const status = answer.statusCode ?? 0;
  if (status < LEAST_STATUS || status > MOST_STATUS) answer.statusCode = 502;
  // The usual words of the status take its place. Browsers show neither.
  answer.statusMessage = '';
  answer.headers = cleanHeaders(answer.headers, ownCookie);
}

/** A page that is left open goes on reading. */
const isActive = ({ method, headers }: IncomingMessage): boolean =>
  headers['sec-fetch-mode'] === 'navigate' || !['GET', 'HEAD', 'OPTIONS'].includes(method ?? 'GET');
