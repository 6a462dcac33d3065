// How a person's browser gets into tenants' content: a ticket from the console becomes a cookie of one host, which is believed for
// a second at a time.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Caller } from '../http/caller.ts';
import { OWN_HEADERS } from '../http/own-headers.ts';

/** The target of a visit: one port of an instance, of a worker or of a service. */
export interface Visit {
  caller: Caller;
  instance: string;
  instanceUid: string;
  port: number;
}

export interface Access {
  issue(caller: Caller, target: { instance: string; instanceUid: string; port: number }): Promise<string>;
  redeem(ticket: string, purpose: 'web'): Promise<(Omit<Visit, 'port'> & { port: number | null }) | undefined>;
  beginVisit(visit: Visit): Promise<string>;
  visit(cookie: string): Promise<Visit | undefined>;
}

export interface Logins {
  holds(session: Caller['session']): Promise<boolean>;
  follow(session: Caller['session'], over: () => void): () => void;
}

export interface VisitsParts {
  protocol: string;
  /** Each content has a host of its own: a browser may be told to send the cookie there alone. */
  isHostOnly: boolean;
  access: Access;
  logins: Logins;
  clock: Pick<Clock, 'monotonic'>;
  /** The host with its port, and the path below which it is. Undefined: there is no such content any more. */
  placeOf: (visit: Visit) => { host: string; prefix: string } | undefined;
}

const ENTER = '/.gantry/enter';
/** How long an answer about a visit is believed. */
const BELIEVED_MS = 1_000;
const MOST_BELIEVED = 10_000;
const COOKIE_SECONDS = 12 * 3600;

export const isEntrance = (path: string): boolean => path === ENTER || path.startsWith(`${ENTER}?`);

export class Visits {
  readonly #parts: VisitsParts;
  readonly #believed = new Map<string, { visit: Visit | undefined; until: number }>();
  readonly #isSecure: boolean;
  /** The cookie's name. */
  readonly cookie: string;

  constructor(parts: VisitsParts) {
    this.#parts = parts;
    this.#isSecure = parts.protocol === 'https:';
    // With the prefix a browser takes it from this very host alone, not from a neighbour that says it is for the whole domain.
    this.cookie = this.#isSecure && parts.isHostOnly ? '__Host-gantry-visit' : 'gantry-visit';
  }

  /** A link that lets its first user in. */
  async link(visit: Visit): Promise<string> {
    const { access, protocol, placeOf } = this.#parts;
    const { caller, ...target } = visit;
    const ticket = await access.issue(caller, target);
    const { host, prefix } = placeOf(visit) ?? { host: '', prefix: '' };
    return `${protocol}//${host}${prefix}${ENTER}?${new URLSearchParams({ ticket })}`;
  }

  /** The ticket becomes a cookie; the page's address has it no more. False, with nothing answered, where nobody is let in. */
  async enter(req: IncomingMessage, res: ServerResponse, path: string): Promise<boolean> {
    const { access, logins, placeOf } = this.#parts;
    const ticket = new URL(path, 'http://tenant').searchParams.get('ticket') ?? '';
    const granted = await access.redeem(ticket, 'web');
    const visit = granted && granted.port !== null ? { ...granted, port: granted.port } : undefined;
    const place = visit && placeOf(visit);
    const isHere = place?.host === req.headers.host && (req.url ?? '').startsWith(`${place?.prefix}${ENTER}`);
    if (!visit || !place || !isHere || !(await logins.holds(visit.caller.session))) return false;
    const cookie = await access.beginVisit(visit);
    const facts = ['HttpOnly', 'SameSite=Lax', `Path=${place.prefix}/`, `Max-Age=${COOKIE_SECONDS}`];
    res.writeHead(303, {
      ...OWN_HEADERS,
      location: `${place.prefix}/`,
      'set-cookie': [`${this.cookie}=${cookie}`, ...facts, ...(this.#isSecure ? ['Secure'] : [])].join('; '),
    });
    res.end();
    return true;
  }

  /** The visit of this cookie, at this host or path, while its session is valid. */
  async of({ headers }: IncomingMessage, prefix = ''): Promise<Visit | undefined> {
    const cookie = cookieIn(headers.cookie, this.cookie);
    const visit = cookie === undefined ? undefined : await this.#believe(cookie);
    const place = visit && this.#parts.placeOf(visit);
    return place?.host === headers.host && place?.prefix === prefix ? visit : undefined;
  }

  /** The Cookie header without ours; undefined where nothing else is in it. */
  others(header: string | undefined): string | undefined {
    if (!header?.includes(this.cookie)) return header;
    const others = header.split(';').filter((pair) => pair.split('=')[0]?.trim() !== this.cookie);
    return others.some((pair) => pair.trim() !== '') ? others.map((pair) => pair.trim()).join('; ') : undefined;
  }

  async #believe(cookie: string): Promise<Visit | undefined> {
    const { access, logins, clock } = this.#parts;
    const now = clock.monotonic();
    const kept = this.#believed.get(cookie);
    if (kept && kept.until > now) return kept.visit;
    const found = await access.visit(cookie);
    const visit = found && (await logins.holds(found.caller.session)) ? found : undefined;
    if (this.#believed.size >= MOST_BELIEVED) this.#believed.clear();
    this.#believed.set(cookie, { visit, until: now + BELIEVED_MS });
    return visit;
  }
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
export function isForeign({ headers, method }: IncomingMessage): boolean {
  const { origin, host } = headers;
  if (origin !== undefined && origin !== 'null' && URL.canParse(origin)) return new URL(origin).host !== host;
  if (origin !== undefined) return true;
  const site = headers['sec-fetch-site'];
  const isLink = headers['sec-fetch-mode'] === 'navigate' && method === 'GET';
  return site !== undefined && site !== 'same-origin' && site !== 'none' && !isLink;
}
