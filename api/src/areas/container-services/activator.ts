// The activator serves what services publish: it finds the service of a host, asks who may, holds what comes while it sleeps, and passes
// the rest on.
// Nothing here is an API: the console's cookies and tokens do not reach what is behind it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { type Caller, hasRight } from '../../platform/http/caller.ts';
import { OWN_HEADERS } from '../../platform/http/own-headers.ts';
import type { Coming, Visitor } from '../../platform/relay/heads.ts';
import { LEFT, Pass } from '../../platform/relay/pass.ts';
import { passSocket } from '../../platform/relay/pass-socket.ts';
import { framingOf, isSound, isWebSocket } from '../../platform/relay/passing-headers.ts';
import { isPassive } from '../../platform/relay/passive.ts';
import { headOf } from '../../platform/relay/relay.ts';
import type { ComingPlain, Reply } from '../../platform/relay/short-way.ts';
import { type AnswerCode, answerOf } from '../../platform/relay/status-page.ts';
import { isPodAddress, type WayTo } from '../../platform/relay/upstream.ts';
import { type Access, isEntrance, isForeign, type Logins, Visits } from '../../platform/relay/visits.ts';
import { type ActivatedService, ActivatedServices, isAsleep } from './activated-services.ts';

/** Requests and WebSockets under way at once, in one gateway. */
const MOST_OF_SERVICE = 2_000;
const MOST_OF_ORGANIZATION = 5_000;
/** A wake that nothing came of is written again. */
const WAKE_AGAIN_MS = 10_000;
/** The time limit of an upload that does not go on. */
const STALLED_MS = 600_000;
const BEARER = /^bearer\s+(\S+)\s*$/i;

export interface ActivatorParts {
  /** The visitors' origin: its host has a wildcard in DNS, for two labels. Undefined: none is served. */
  origin: URL | undefined;
  access: Access;
  logins: Logins;
  /** As the API has it. */
  authenticate: (token: string) => Promise<Caller | undefined>;
  /** How many unknown tokens an address may try. */
  attempts: {
    mayTry(token: string, ip: string): Promise<boolean>;
    known(token: string): void;
    inVain(ip: string): Promise<void>;
  };
  find: (namespace: string, id: string) => ContainerService | undefined;
  /** Writes that it should have one replica. Resolves once that is so, or somebody else has seen to it. */
  wake: (object: ContainerService) => Promise<void>;
  /** A service's page in the console, where members find the link. */
  consolePage: (id: string) => string;
  addressOf: (req: Pick<IncomingMessage, 'socket' | 'headers'>) => string;
  languageOf: (accepted: string | undefined) => Language;
  wayTo?: WayTo | undefined;
  isAddress?: (ip: string) => boolean;
  clock: Clock;
  log: { warn(facts: object, message: string): void };
}

/** One request or handshake, whichever it is. */
interface Asked {
  readonly req: Coming;
  readonly startedAt: number;
  readonly isCheck: boolean;
  /** Absent: a handshake. */
  readonly res?: Reply;
  readonly socket: Duplex;
  readonly head?: Buffer;
  /** The caller of a visit, which ends with their login. */
  readonly caller: Caller | undefined;
}

/** A request or a handshake as Node hands it over. */
interface Way {
  readonly req: IncomingMessage;
  readonly res?: ServerResponse;
  readonly socket: Duplex;
  readonly head?: Buffer;
}

export class Activator {
  readonly #parts: ActivatorParts;
  readonly #visits: Visits;
  readonly #protocol: string;
  readonly services: ActivatedServices;

  constructor(parts: ActivatorParts) {
    this.#parts = parts;
    const { origin, clock, wayTo, isAddress = isPodAddress } = parts;
    this.services = new ActivatedServices({ domain: origin?.host ?? '', clock, wayTo, isAddress });
    this.#protocol = (origin?.protocol ?? 'http:').slice(0, -1);
    const placeOf = (visit: { caller: Caller; instance: string; instanceUid: string }) => {
      const service = this.services.get(visit.instanceUid);
      const isTheirs = service?.name === visit.instance && service.organization === visit.caller.organization.id;
      return service && isTheirs ? { host: this.#hostOf(service), prefix: '' } : undefined;
    };
    this.#visits = new Visits({ ...parts, protocol: `${this.#protocol}:`, isHostOnly: true, placeOf });
  }

  /** Throws not_found, not_published, tenant_web_off. */
  async issue(caller: Caller, id: string): Promise<{ url: string }> {
    const object = this.#parts.find(caller.organization.namespace, id);
    if (!object) throw problem('not_found', { what: id });
    if (!object.spec.publish) throw problem('not_published');
    const service = this.services.get(object.metadata.uid ?? '');
    if (!this.#parts.origin || !service) throw problem('tenant_web_off');
    if (service.access === 'Public') return { url: `${this.#protocol}://${this.#hostOf(service)}/` };
    return { url: await this.#visits.link({ caller, instance: id, instanceUid: service.uid, port: service.port }) };
  }

  /** False where the host is no service's. */
  answer(req: IncomingMessage, res: ServerResponse): boolean {
    const service = this.services.at(req.headers.host);
    if (!service) return false;
    try {
      this.#admit(service, req, { req, res, socket: req.socket }, () => res.destroy());
    } catch (error) {
      // Nobody else catches here: what one request stumbles over must not end the gateway.
      this.#parts.log.warn({ err: error, service: service.host }, 'a request was given up');
      res.destroy();
    }
    return true;
  }

  /** The same of a request that came the short way, if all that it needs is a replica. */
  answerPlain(req: ComingPlain, res: Reply): boolean {
    const service = this.services.at(req.headers.host);
    if (service?.access !== 'Public' || service.stand !== 'serves') return false;
    const startedAt = this.#parts.clock.monotonic();
    const isCheck = isPassive(req, service.object.spec.readiness?.path);
    try {
      this.#pass(service, { req, res, socket: req.socket, startedAt, isCheck, caller: undefined });
    } catch (error) {
      this.#parts.log.warn({ err: error, service: service.host }, 'a request was given up');
      res.destroy();
    }
    return true;
  }

  /** Takes a handshake over, unless the host is no service's. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const service = this.services.at(req.headers.host);
    if (!service) return false;
    this.#admit(service, req, { req, socket, head }, () => socket.destroy());
    return true;
  }

  stop(): void {
    this.services.stop();
  }

  #admit(service: ActivatedService, req: IncomingMessage, way: Way, cutOff: () => void): void {
    const startedAt = this.#parts.clock.monotonic();
    const asked = {
      ...way,
      startedAt,
      isCheck: isPassive(req, service.object.spec.readiness?.path),
      caller: undefined,
    };
    const isServed = isSound(req) && (way.res || isWebSocket(req));
    if (!isServed) return void this.#refuse(service, asked, 'malformed');
    if (service.access === 'Public') return void this.#begin(service, asked);
    // A browser asks without a token or a cookie whether a page may send one. Only the program knows; nobody else's asking wakes it.
    if (isPreflight(req)) return void this.#begin(service, { ...asked, isCheck: true });
    this.#mayEnter(service, asked).catch(cutOff);
  }

  /** Tokens and visits take a look elsewhere, which is remembered for a second. */
  async #mayEnter(service: ActivatedService, asked: Way & Asked): Promise<void> {
    const { req, res } = asked;
    const path = req.url ?? '';
    if (service.access === 'Members' && isEntrance(path)) {
      if (res && (await this.#visits.enter(req, res, path))) return;
      return void this.#refuse(service, asked, 'login_needed');
    }
    const token = BEARER.exec(req.headers.authorization ?? '')?.[1];
    const byToken = token === undefined ? undefined : await this.#tokenOf(service, req, token);
    if (byToken === 'too_many_attempts') return void this.#refuse(service, asked, byToken);
    if (byToken) {
      // Nobody but the gateway gets to see it, whatever it looks like.
      dropAuthorization(req);
      return void this.#begin(service, asked);
    }
    if (service.access === 'Tokens') return void this.#refuse(service, asked, 'token_needed');
    const visit = await this.#visits.of(req);
    if (visit)
      return isForeign(req)
        ? this.#refuse(service, asked, 'foreign')
        : this.#begin(service, { ...asked, caller: visit.caller });
    const isBrowser = req.method === 'GET' && (req.headers.accept?.includes('text/html') ?? false);
    if (!res || !isBrowser) return void this.#refuse(service, asked, 'login_needed');
    res.writeHead(303, {
      ...OWN_HEADERS,
      location: this.#parts.consolePage(service.name),
      'content-length': '0',
    });
    res.end();
  }

  async #tokenOf(
    service: ActivatedService,
    req: IncomingMessage,
    token: string,
  ): Promise<Caller | 'too_many_attempts' | undefined> {
    const { attempts, authenticate, addressOf } = this.#parts;
    const ip = addressOf(req);
    if (!(await attempts.mayTry(token, ip))) return 'too_many_attempts';
    const caller = await authenticate(token);
    if (!caller) {
      await attempts.inVain(ip);
      return undefined;
    }
    attempts.known(token);
    const { session, organization } = caller;
    const isOurs = session.kind === 'apiToken' && organization.id === service.organization;
    return isOurs && hasRight(caller, 'use') ? caller : undefined;
  }

  #begin(service: ActivatedService, asked: Asked): void {
    if (asked.socket.destroyed) return;
    if (service.stand === 'serves') return void this.#pass(service, asked);
    if (service.stand !== 'waits') return void this.#refuse(service, asked, service.stand);
    if (asked.isCheck) return void this.#refuse(service, asked, 'asleep');
    this.#hold(service, asked);
  }

  #hold(service: ActivatedService, asked: Asked): void {
    const { meter, waiting, object } = service;
    const { clock } = this.#parts;
    const over = () => {
      asked.socket.off('close', left);
      meter.end(clock.now());
      meter.waiting--;
    };
    const waiter = {
      bytes: bytesOf(asked.req),
      go: () => {
        over();
        if (service.stand === 'serves') this.#pass(service, asked);
        else this.#refuse(service, asked, service.stand === 'waits' ? 'start_too_slow' : service.stand);
      },
      refuse: (why: AnswerCode) => {
        if (why === 'start_too_slow') over();
        this.#refuse(service, asked, why);
      },
    };
    const left = () => {
      if (!waiting.remove(waiter)) return;
      over();
      this.#record(service, asked, { status: LEFT, bytes: 0, bytesIn: 0, replica: null });
    };
    if (!waiting.add(waiter, object.spec.wake)) return;
    meter.begin(clock.now());
    meter.waiting++;
    asked.socket.once('close', left);
    this.#wake(service);
  }

  /** Whoever comes first writes it; the others wait for what comes of it. */
  #wake(service: ActivatedService): void {
    const { clock, wake, log } = this.#parts;
    const now = clock.monotonic();
    if (!isAsleep(service.object) || now - service.wokenAt < WAKE_AGAIN_MS) return;
    service.wokenAt = now;
    service.meter.wake(clock.now());
    wake(service.object).catch((error: unknown) => {
      service.wokenAt = Number.NEGATIVE_INFINITY;
      log.warn({ err: error, service: service.host }, 'a service was not woken');
    });
  }

  #pass(service: ActivatedService, asked: Asked): void {
    const { clock, logins, addressOf } = this.#parts;
    const { req, res, socket, caller, isCheck } = asked;
    const { load, meter, upstream } = service;
    const replica = upstream.pick(clock.monotonic());
    if (!replica) return void this.#refuse(service, asked, 'no_answer');
    if (service.underWay >= MOST_OF_SERVICE || load.inFlight >= MOST_OF_ORGANIZATION)
      return void this.#refuse(service, asked, 'busy');
    service.underWay++;
    load.inFlight++;
    if (!isCheck) meter.begin(clock.now());
    const unfollow = caller && logins.follow(caller.session, () => socket.destroy());
    const visitor: Visitor = {
      address: addressOf(req),
      protocol: this.#protocol,
      cookie: this.#visits.others(req.headers.cookie),
    };
    const over = (passed: { status: number; bytes: number; bytesIn: number; replica: string | null }) => {
      service.underWay--;
      load.inFlight--;
      if (!isCheck) meter.end(clock.now());
      unfollow?.();
      this.#record(service, asked, passed);
    };
    const ownCookie = this.#visits.cookie;
    if (!res) {
      passSocket(req as IncomingMessage, socket, asked.head ?? Buffer.alloc(0), {
        replica,
        ownCookie,
        visitor,
        done: over,
      });
      return;
    }
    if (!('whole' in req) && framingOf(req)) {
      // Without a listener Node cuts the connection off.
      req.setTimeout(STALLED_MS);
    }
    const monotonic = () => clock.monotonic();
    const refuse = () => this.#write(asked, 'no_answer');
    new Pass(req, res, replica, { upstream, ownCookie, visitor, monotonic, refuse, done: over });
  }

  #refuse(service: ActivatedService, asked: Asked, code: AnswerCode): void {
    const { status, bytes } = this.#write(asked, code);
    this.#record(service, asked, { status, bytes, bytesIn: 0, replica: null });
  }

  #write({ req, res, socket }: Asked, code: AnswerCode): { status: number; bytes: number } {
    const { status, headers, body } = answerOf(code, this.#parts.languageOf(req.headers['accept-language']), req);
    if (res) {
      // A body that nobody has read would be taken for the next request.
      if (!('whole' in req) && !req.complete) res.shouldKeepAlive = false;
      res.writeHead(status, Object.entries(headers).flat());
      res.end(req.method === 'HEAD' ? '' : Buffer.from(body).toString('latin1'), 'latin1');
    } else socket.end(Buffer.concat([headOf(status, { ...headers, connection: 'close' }), Buffer.from(body)]));
    return { status, bytes: Buffer.byteLength(body) };
  }

  #record(
    { meter }: ActivatedService,
    { req, startedAt, isCheck }: Asked,
    { status, bytes, bytesIn, replica }: { status: number; bytes: number; bytesIn: number; replica: string | null },
  ): void {
    const { clock } = this.#parts;
    const ms = Math.round(10 * (clock.monotonic() - startedAt)) / 10;
    const { method = '', url = '' } = req;
    meter.record({ at: clock.now(), method, url, status, ms, bytes, bytesIn, replica, isCheck });
  }

  /** With the port of the listener, where it has one. */
  #hostOf({ host }: ActivatedService): string {
    const port = this.#parts.origin?.port ?? '';
    return port === '' ? host : `${host}:${port}`;
  }
}

function dropAuthorization({ rawHeaders, headers }: IncomingMessage): void {
  delete headers.authorization;
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    if (rawHeaders[at]?.toLowerCase() === 'authorization') rawHeaders.splice(at, 2);
  }
}

function bytesOf({ url = '', rawHeaders }: Coming): number {
  let bytes = url.length;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}

/** As browsers send it: nothing but the question, which no program takes for more (Fetch standard, 4.8). */
const isPreflight = (req: IncomingMessage): boolean =>
  req.method === 'OPTIONS' && !framingOf(req) && isQuestion(req.headers);

const isQuestion = (headers: IncomingMessage['headers']): boolean =>
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined &&
  headers.authorization === undefined &&
  headers.cookie === undefined;
