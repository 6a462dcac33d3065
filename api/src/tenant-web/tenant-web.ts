// Serves instances' web content on a separate listener and domain: a ticket from the console becomes a cookie of one host, that
// host is one port of one instance, and the API never trusts anything here.

import type { Agent, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { createProxyServer } from 'http-proxy-3';
import type { Caller } from '../identity/caller.ts';
import { Agents } from '../pods/agents.ts';
import type { SocketSource } from '../pods/pod-socket.ts';
import { podAgent } from '../pods/pod-stream.ts';
import { serviceAccountOf } from '../pods/service-account.ts';
import { cleanHeaders } from './clean-answer.ts';
import { htmlOf, type Page } from './page.ts';
import { passUpgrade } from './pass-upgrade.ts';
import { labelOf, prefixIn, prefixOf } from './place.ts';

export interface Visit {
  caller: Caller;
  instance: string;
  instanceUid: string;
  port: number;
}

export interface TenantWebParts {
  /** Somebody does something there: a page is opened, something is sent, a socket is opened. What a page polls is no visit. */
  visited?: ((namespace: string, instance: string) => void) | undefined;
  /** Where visitors come in, such as https://ports.example:8443; each content has a host below it, or a path in trying out. */
  origin: URL;
  /** The host of `origin` has a wildcard in DNS. */
  isWildcard: boolean;
  access: {
    issue(caller: Caller, target: { instance: string; instanceUid: string; port: number }): Promise<string>;
    redeem(ticket: string, purpose: 'web'): Promise<(Omit<Visit, 'port'> & { port: number | null }) | undefined>;
    beginVisit(visit: Visit): Promise<string>;
    visit(cookie: string): Promise<Visit | undefined>;
  };
  logins: {
    holds(session: Caller['session']): Promise<boolean>;
    follow(session: Caller['session'], over: () => void): () => void;
  };
  as: (user: string) => SocketSource;
  /** Throws not_found, container_not_running. */
  running: (caller: Caller, id: string) => GpuInstance;
  podOf: (instance: GpuInstance) => { namespace: string; pod: string };
  languageOf: (accepted: string | undefined, of?: Language) => Language;
  clock: Clock;
}

/** The lowest status of a final HTTP answer. */
const LEAST_STATUS = 200;
const MOST_STATUS = 599;
const ENTER = '/.gantry/enter';
/** How long an answer about a visit is believed. */
const BELIEVED_MS = 1_000;
const MOST_BELIEVED = 10_000;
const MOST_AGENTS = 1_000;
const COOKIE_SECONDS = 12 * 3600;
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
  readonly #believed = new Map<string, { visit: Visit | undefined; until: number }>();
  readonly #agents = new Agents(MOST_AGENTS);
  readonly #isSecure: boolean;
  readonly #cookie: string;

  constructor(parts: TenantWebParts) {
    this.#parts = parts;
    this.#isSecure = parts.origin.protocol === 'https:';
    // With the prefix a browser takes it from this very host alone, not from a neighbour that says it is for the whole domain.
    this.#cookie = this.#isSecure && parts.isWildcard ? '__Host-gantry-visit' : 'gantry-visit';
    this.#proxy.on('proxyReq', (asked, req, res) => {
      // Node says nothing more of a request whose answer is a switch of protocols that nobody asked for.
      asked.once('upgrade', (_answer, inside) => {
        inside.destroy();
        this.#page(req, res, 502, 'notAnswering');
      });
    });
    this.#proxy.on('proxyRes', (answer, _req, res) => {
      makeSendable(answer, this.#cookie);
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
  async issue(caller: Caller, id: string, asked: number | 'notebook'): Promise<{ url: string }> {
    const instance = this.#parts.running(caller, id);
    const port = portOf(instance, asked);
    if (port === undefined) throw problem('port_not_published', { port: asked });
    const ticket = await this.#parts.access.issue(caller, {
      instance: id,
      instanceUid: instance.metadata.uid ?? '',
      port,
    });
    const { host, prefix } = this.#placeOf({ caller, instance: id, port });
    const { protocol } = this.#parts.origin;
    return { url: `${protocol}//${host}${prefix}${ENTER}?${new URLSearchParams({ ticket })}` };
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
    if (path === ENTER || path.startsWith(`${ENTER}?`)) return this.#enter(req, res, path);
    const visit = await this.#visitOf(req, prefix);
    if (!visit) return this.#page(req, res, 404, 'enter');
    if (isForeign(req)) return this.#page(req, res, 403, 'foreign');
    const instance = this.#runningFor(visit);
    if (!instance) return this.#page(req, res, 404, 'notRunning');
    if (isActive(req)) this.#parts.visited?.(visit.caller.organization.namespace, visit.instance);
    this.#clean(req, prefix);
    // A client that has left needs no answer.
    if (res.destroyed) return;
    // An answer may go on for hours.
    res.once(
      'close',
      this.#parts.logins.follow(visit.caller.session, () => res.destroy()),
    );
    this.#proxy.web(req, res, { target: TARGET, agent: this.#agentOf(visit, instance) });
  }

  async #upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const prefix = this.#parts.isWildcard ? '' : (prefixIn(req.url ?? '') ?? '');
    const visit = await this.#visitOf(req, prefix);
    const instance = visit && !isForeign(req) ? this.#runningFor(visit) : undefined;
    if (!visit || !instance) {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    this.#parts.visited?.(visit.caller.organization.namespace, visit.instance);
    this.#clean(req, prefix);
    this.#forward(req);
    if (socket.destroyed) return;
    const unfollow = this.#parts.logins.follow(visit.caller.session, () => socket.destroy());
    socket.once('close', unfollow);
    passUpgrade(req, socket, head, { agent: this.#agentOf(visit, instance), ownCookie: this.#cookie });
  }

  /** The ticket becomes a cookie; the page's address has it no more. */
  async #enter(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const ticket = new URL(path, 'http://tenant').searchParams.get('ticket') ?? '';
    const granted = await this.#parts.access.redeem(ticket, 'web');
    const visit = granted && granted.port !== null ? { ...granted, port: granted.port } : undefined;
    const place = visit && this.#placeOf({ ...visit });
    const isHere = place?.host === req.headers.host && (req.url ?? '').startsWith(`${place?.prefix}${ENTER}`);
    if (!visit || !place || !isHere || !(await this.#parts.logins.holds(visit.caller.session))) {
      return this.#page(req, res, 404, 'enter');
    }
    const cookie = await this.#parts.access.beginVisit(visit);
    const facts = ['HttpOnly', 'SameSite=Lax', `Path=${place.prefix}/`, `Max-Age=${COOKIE_SECONDS}`];
    res.writeHead(303, {
      location: `${place.prefix}/`,
      'set-cookie': [`${this.#cookie}=${cookie}`, ...facts, ...(this.#isSecure ? ['Secure'] : [])].join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    res.end();
  }

  /** The visit of this cookie, at this host or path, while its session is valid. */
  async #visitOf(req: IncomingMessage, prefix: string): Promise<Visit | undefined> {
    const cookie = cookieIn(req.headers.cookie, this.#cookie);
    if (cookie === undefined) return undefined;
    const visit = await this.#believe(cookie);
    if (!visit) return undefined;
    const place = this.#placeOf(visit);
    return place.host === req.headers.host && place.prefix === prefix ? visit : undefined;
  }

  async #believe(cookie: string): Promise<Visit | undefined> {
    const now = this.#parts.clock.monotonic();
    const kept = this.#believed.get(cookie);
    if (kept && kept.until > now) return kept.visit;
    const found = await this.#parts.access.visit(cookie);
    const visit = found && (await this.#parts.logins.holds(found.caller.session)) ? found : undefined;
    if (this.#believed.size >= MOST_BELIEVED) this.#believed.clear();
    this.#believed.set(cookie, { visit, until: now + BELIEVED_MS });
    return visit;
  }

  /** The very instance that the ticket was for, running, and still publishing the port. */
  #runningFor({ caller, instance: id, instanceUid, port }: Visit): GpuInstance | undefined {
    try {
      const instance = this.#parts.running(caller, id);
      return instance.metadata.uid === instanceUid && portOf(instance, port) !== undefined ? instance : undefined;
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

  #agentOf({ caller, port }: Visit, instance: GpuInstance): Agent {
    const at = this.#parts.podOf(instance);
    const user = serviceAccountOf(caller);
    const key = `${user} ${at.namespace}/${at.pod}:${port}`;
    return this.#agents.of(key, () => podAgent(this.#parts.as(user), at, port));
  }

  /** Our own headers do not reach the tenant's program. */
  #clean(req: IncomingMessage, prefix: string): void {
    for (const name of STRIPPED) delete req.headers[name];
    const others = (req.headers.cookie ?? '').split(';').filter((pair) => pair.split('=')[0]?.trim() !== this.#cookie);
    if (others.some((pair) => pair.trim() !== '')) req.headers.cookie = others.map((pair) => pair.trim()).join('; ');
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
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    res.end(req.method === 'HEAD' ? undefined : html);
  }
}

/** The agent leads to the Pod, whatever stands here. */
const TARGET = 'http://instance';

function portOf({ spec }: GpuInstance, asked: number | 'notebook'): number | undefined {
  if (asked === 'notebook' || asked === spec.notebookPort) return spec.notebookPort;
  return spec.ports?.find(({ port }) => port === asked)?.port;
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

function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * Asked by a page of another origin, with this visitor's cookie: hosts of other tenants are below the same domain, so to
 * browsers they are the same site. To follow a link here is all that such a page may do.
 */
function isForeign({ headers, method }: IncomingMessage): boolean {
  const { origin, host } = headers;
  if (origin !== undefined && origin !== 'null' && URL.canParse(origin)) return new URL(origin).host !== host;
  if (origin !== undefined) return true;
  const site = headers['sec-fetch-site'];
  const isLink = headers['sec-fetch-mode'] === 'navigate' && method === 'GET';
  return site !== undefined && site !== 'same-origin' && site !== 'none' && !isLink;
}

/** A page that is left open goes on reading. */
const isActive = ({ method, headers }: IncomingMessage): boolean =>
  headers['sec-fetch-mode'] === 'navigate' || !['GET', 'HEAD', 'OPTIONS'].includes(method ?? 'GET');
