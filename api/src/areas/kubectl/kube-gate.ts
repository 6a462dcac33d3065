// kubectl's way to the API server. A kubeconfig's token is ours and means nothing there: each request is passed on with a token of
// its member, for as long as the kubeconfig is good. Whatever is open when it ends is ended, too: the API server asks nobody
// again about a watch or an exec.
import { type Agent, request as httpRequest, type IncomingMessage, ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import { framingOf, isSound, isWritable, namedIn, passesInRequest } from '../../platform/relay/passing-headers.ts';
import { endToEnd, joinSwitched } from '../../platform/relay/relay.ts';
import { type Grant, type MintedTokenParts, MintedTokens } from './minted-tokens.ts';
import { answerRefusal, notLoggedIn, Refusal, refusalOf } from './refusal.ts';

export interface KubeGateParts {
  /** Undefined for a token that is unknown or over. */
  grantOf(token: string): Promise<Grant | undefined>;
  /** Calls back once when a kubeconfig is not good any more. */
  grants: {
    holds(grant: Grant): Promise<boolean>;
    follow(grant: Grant, over: () => void): () => void;
  };
  /** Throws a Refusal of what is closed for a while, whoever asks. */
  demandOpen?(method: string, path: string): void;
  issue: MintedTokenParts['issue'];
  /** The API server, by connections that say nothing of who we are: it would believe a certificate before any token. */
  upstream(): Promise<{ server: URL; agent: Agent }>;
  /** They throw too_many_requests. */
  limits: {
    mayTry(token: string, ip: string, res: ServerResponse): Promise<void>;
    inVain(ip: string): Promise<void>;
    known(token: string): void;
    session(id: string, res: ServerResponse): Promise<void>;
  };
  addressOf(req: IncomingMessage): string;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
}

/** A request whose answer may be a switch of protocols. */
interface Handshake {
  socket: Duplex;
  head: Buffer;
}

/** A request that has been let in. */
interface Passage {
  /** It never ends on its own. */
  isStream: boolean;
  /** A client that has an answer already reads to its end, or is cut off. */
  end(why: Refusal, how: 'inOrder' | 'cutOff'): void;
}

/** Per account, across its kubeconfigs: each holds two connections. */
const MOST_OPEN = 200;
const RETRY_S = 1;
/** A laptop that was closed says nothing; after this silence it is asked whether it is there. */
const ASK_AFTER_MS = 30_000;

export class KubeGate {
  readonly #parts: KubeGateParts;
  readonly #tokens: MintedTokens;
  readonly #open = new Map<string, Set<Passage>>();
  #isStopping = false;

  constructor(parts: KubeGateParts) {
    this.#parts = parts;
    const { issue, clock, grants } = parts;
    this.#tokens = new MintedTokens({ issue, clock, holds: (grant) => grants.holds(grant) });
  }

  answer(req: IncomingMessage, res: ServerResponse): void {
    // An answer that is ended while a part of it is on its way fails once more.
    res.on('error', () => {});
    this.#pass(req, res).catch((error) => this.#fail(res, error));
  }

  /** Takes over every handshake. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): true {
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(socket as Socket);
    res.on('error', () => {});
    res.once('finish', () => (socket as Socket).destroySoon());
    // Node forgets both about a socket that asks for a switch.
    socket.on('drain', () => res.emit('drain'));
    this.#pass(req, res, { socket, head }).catch((error) => this.#fail(res, error));
    return true;
  }

  /** Accepts nothing new, and ends what would not end on its own. */
  endStreams(): void {
    this.#isStopping = true;
    for (const passages of this.#open.values()) {
      for (const passage of passages) if (passage.isStream) passage.end(stopping(), 'inOrder');
    }
  }

  async #pass(req: IncomingMessage, res: ServerResponse, handshake?: Handshake): Promise<void> {
    const ip = this.#parts.addressOf(req);
    const grant = await this.#admit(req, res, ip, handshake !== undefined);
    // Nobody waits for it any more.
    if (res.destroyed) return;
    const client = handshake?.socket ?? res;
    let isSwitched = false;
    let isOver = false;
    const passage: Passage = {
      isStream: handshake !== undefined || isEndless(req.url ?? ''),
      end(why, how) {
        isOver = true;
        if (!isSwitched && !res.headersSent) answerRefusal(res, why);
        // The connection: a request queued behind another has no socket of its own to destroy.
        else if (isSwitched || how === 'cutOff') req.socket.destroy();
        else res.end();
      },
    };
    this.#track(grant, passage, { client, connection: req.socket });
    req.socket.setKeepAlive(true, ASK_AFTER_MS);

    const token = await this.#tokens.of(grant);
    const { server, agent } = await this.#parts.upstream();
    if (isOver || res.destroyed) return;
    const request = server.protocol === 'http:' ? httpRequest : httpsRequest;
    const asked = request({
      agent,
      method: req.method,
      host: server.hostname.replace(/^\[|\]$/g, ''),
      port: server.port || (server.protocol === 'http:' ? 80 : 443),
      path: server.pathname.replace(/\/$/, '') + req.url,
      headers: [...headersFor(req, server.host, handshake), 'x-forwarded-for', ip, 'authorization', `Bearer ${token}`],
    });
    if (handshake || isDoubtful(req)) asked.shouldKeepAlive = false;
    whenOver({ client, connection: req.socket }, () => asked.destroy());
    /** Whatever is thrown where nobody waits would end the gateway. */
    const guarded =
      <Args extends unknown[]>(take: (...args: Args) => void) =>
      (...args: Args) => {
        try {
          take(...args);
        } catch (error) {
          asked.destroy();
          this.#fail(res, error);
        }
      };
    asked.on('error', (error) => {
      // It is we who called it off.
      if (client.destroyed || isOver) return;
      if (isSwitched) client.destroy();
      else this.#fail(res, error);
    });
    asked.once(
      'response',
      guarded((answer) => {
        if (res.headersSent) return void answer.destroy();
        if (answer.statusCode === 401) this.#tokens.drop(grant);
        res.writeHead(answer.statusCode ?? 0, endToEnd(answer.headers, answer.statusCode ?? 0));
        // The first event of a watch may be hours away.
        res.flushHeaders();
        // Half an answer is cut off: it must not look whole.
        pipeline(answer, res, () => {});
      }),
    );
    asked.once(
      'upgrade',
      guarded((answer, inside, first) => {
        inside.on('error', () => {});
        const isWanted = answer.headers.upgrade?.toLowerCase() === req.headers.upgrade?.toLowerCase();
        if (!handshake || res.headersSent || !isWanted) {
          inside.destroy();
          throw new Refusal(502, 'the API server switched to a protocol that nobody asked for');
        }
        res.detachSocket(handshake.socket as Socket);
        isSwitched = true;
        joinSwitched({ answer, inside, first }, handshake.socket, handshake.head, endToEnd(answer.headers, 101));
      }),
    );
    if (!handshake && framingOf(req)) req.pipe(asked);
    else asked.end();
  }

  /** Throws if the caller is not admitted. */
  async #admit(req: IncomingMessage, res: ServerResponse, ip: string, isHandshake: boolean): Promise<Grant> {
    const { limits, grantOf } = this.#parts;
    if (this.#isStopping) throw stopping();
    if (!isSound(req)) throw new Refusal(400, 'the request is malformed');
    if (isHandshake && !isSwitchOfKubectl(req)) throw new Refusal(400, 'the switch of protocols is malformed');
    const token = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
    if (token === undefined) throw notLoggedIn();
    await limits.mayTry(token, ip, res);
    const grant = await grantOf(token);
    if (!grant) {
      await limits.inVain(ip);
      throw notLoggedIn();
    }
    limits.known(token);
    await limits.session(grant.id, res);
    this.#parts.demandOpen?.(req.method ?? 'GET', req.url ?? '');
    // A stop that came meanwhile has ended only requests that it knew of.
    if (this.#isStopping) throw stopping();
    return grant;
  }

  /** Until the client is gone or has its answer. Throws where the account has too much open. */
  #track(grant: Grant, passage: Passage, ends: Ends): void {
    const mine = this.#open.get(grant.accountId) ?? new Set();
    if (mine.size >= MOST_OPEN) throw new Refusal(429, `more than ${MOST_OPEN} requests are open at once`, RETRY_S);
    this.#open.set(grant.accountId, mine.add(passage));
    const unfollow = this.#parts.grants.follow(grant, () => passage.end(notLoggedIn(), 'cutOff'));
    whenOver(ends, () => {
      unfollow();
      mine.delete(passage);
      if (mine.size === 0) this.#open.delete(grant.accountId);
    });
  }

  #fail(res: ServerResponse, error: unknown): void {
    const refusal = refusalOf(error);
    if (!refusal) this.#parts.log.warn({ err: error }, 'a request of a kubeconfig was not passed on');
    if (res.headersSent || res.destroyed) return void res.destroy();
    answerRefusal(res, refusal ?? new Refusal(503, 'the cluster does not answer: try again in a moment'));
  }
}

interface Ends {
  client: Duplex | ServerResponse;
  connection: Duplex;
}

/** Called once. An answer queued behind another one has no socket, and is not notified when the connection is gone. */
function whenOver({ client, connection }: Ends, then: () => void): void {
  const over = () => {
    client.off('close', over);
    connection.off('close', over);
    then();
  };
  client.once('close', over);
  connection.once('close', over);
}

const stopping = () => new Refusal(503, 'the gateway is stopping: try again in a moment', RETRY_S);

/** A watch, or a log that is followed; Kubernetes takes anything but these two words for yes. */
const isEndless = (url: string): boolean => /[?&](watch|follow)(=(?!(false|0)(&|$))|&|$)/i.test(url);

/** Headers that only the gateway sets, about a client or its own connection to the API server. */
const OURS = /^(authorization|cookie|host|impersonate-.*|x-remote-.*)$/;

/** Methods whose bodies mean nothing to most servers, and to some proxies are not there. */
const USUALLY_BODILESS = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

/** Others' requests come over the same connections: after a body that may not have been read none does. Writes of kubectl are sure. */
const isDoubtful = (req: IncomingMessage): boolean => {
  const framing = framingOf(req);
  return framing === 'chunks' || (framing !== undefined && USUALLY_BODILESS.has(req.method ?? ''));
};

/** Whether kubectl asks to execute, attach or forward ports. */
const isSwitchOfKubectl = (req: IncomingMessage): boolean =>
  /^(websocket|spdy\/3\.1)$/i.test(req.headers.upgrade ?? '') && framingOf(req) === undefined;

/** Headers given several times stay so: kubectl offers versions of a protocol like this. */
function headersFor(req: IncomingMessage, host: string, handshake: Handshake | undefined): string[] {
  const { rawHeaders, headers } = req;
  const named = namedIn(headers.connection);
  const kept = ['host', host];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const value = rawHeaders[at + 1] as string;
    const lower = name.toLowerCase();
    if (passesInRequest(lower, named) && !OURS.test(lower) && isWritable(name, value)) kept.push(name, value);
  }
  const framing = framingOf(req);
  if (handshake) kept.push('connection', 'Upgrade', 'upgrade', headers.upgrade ?? '');
  // Node frames no body of a GET or a DELETE by itself, and takes any other request for one in chunks.
  if (framing === 'chunks') kept.push('transfer-encoding', 'chunked');
  else if (framing) kept.push('content-length', framing.length);
  else if (req.method !== 'GET' && req.method !== 'HEAD') kept.push('content-length', '0');
  return kept;
}
