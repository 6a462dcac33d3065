// A real HTTP server between one caller and the API server: it names and counts every request, and does what a rule says at the
// n-th of a name. One proxy for each process under test: a rule cannot tell two callers apart.
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Exchange, RequestAction } from './action.ts';
import { type Call, parseCall } from './call.ts';
import { CallLog, type LoggedWrite } from './call-log.ts';
import { LiveWatch, type WatchEvent } from './live-watch.ts';
import { type Match, matches, RuleBook } from './rule-book.ts';
import { type Reply, readUpstream, type Upstream, UpstreamClient } from './upstream.ts';

export interface FaultProxyOptions {
  /** The API server, or the text of a kubeconfig that names it (its user is not used). */
  readonly upstream: Upstream | { readonly kubeconfig: string };
  /** Writes kept in the log; default 10,000. */
  readonly keepWrites?: number;
  /** List replies kept for each path: the first and the latest `keepLists - 1`. Default 4. */
  readonly keepLists?: number;
}

/** The caller's credentials. Only bearer tokens pass a proxy. */
export type ProxyUser = { readonly token: string } | { readonly tokenFile: string };

export interface FaultProxy {
  /** `http://127.0.0.1:<port>`; the port stays the same over `down()` and `up()`. */
  readonly url: string;
  readonly rules: Pick<RuleBook, 'add' | 'clear'>;
  /** Text of a kubeconfig that leads here. */
  kubeconfig(user: ProxyUser): string;
  /** Requests since the start, by title (`apply gpuinstances/status`), including refused and killed ones. */
  counts(): Readonly<Partial<Record<string, number>>>;
  /** The latest writes, oldest first. */
  writes(): readonly LoggedWrite[];
  /** Complete list replies that the API server gave, oldest first, for `serve`. */
  lists(match: Match): readonly Reply[];
  /** Watches that are open now, to stall, expire, cut or speak into. */
  watches(match: Match): readonly LiveWatch[];
  /** Looks again at every request, answer and watch event. Rejects after `limitMs` with the counts so far. */
  waitFor(isTrue: (proxy: FaultProxy) => boolean, limitMs: number): Promise<void>;
  /** Resets every connection and refuses new ones. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Accepts connections, but holds requests and watch events until `resume()`. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** Listens on a free port of the loopback address. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { upstream, keepWrites = 10_000, keepLists = 4 } = options;
  const client = new UpstreamClient('kubeconfig' in upstream ? readUpstream(upstream.kubeconfig) : upstream);
  const rules = new RuleBook();
  const log = new CallLog(keepWrites);
  const lists = new Map<string, { call: Call; reply: Reply }[]>();
  const watches = new Set<LiveWatch>();
  let paused: PromiseWithResolvers<void> | undefined;
  let n = 0;

  async function handle(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = from;
    const body = await buffer(from);
    n += 1;
    const call = parseCall(n, { method, url, contentType: from.headers['content-type'] ?? '', body });
    const actions = rules.hitsOfCall(call);
    log.record(
      call,
      actions.map((action) => action.name),
    );
    await paused?.promise;
    const exchange = exchangeOf(call, to);
    // Also false if the caller hung up while it was held: a request that was never sent cannot be committed.
    if (!(await isWaitingAfter(actions, to, (action) => action.before?.(exchange)))) return;

    const answer = await client.send({ method, url, headers: forwardedHeaders(from, body), body });
    if (call.verb === 'watch' && answer.statusCode === 200) await passWatch(call, actions, answer, to);
    else await passReply(exchange, actions, answer, to);
  }

  async function passReply(
    exchange: Exchange,
    actions: readonly RequestAction[],
    from: IncomingMessage,
    to: ServerResponse,
  ): Promise<void> {
    const { call } = exchange;
    const reply: Reply = { status: from.statusCode ?? 502, headers: endToEnd(from.headers), body: await buffer(from) };
    log.answered(call, reply.status);
    if (call.verb === 'list' && reply.status === 200) keepList(call, reply);
    if (await isWaitingAfter(actions, to, (action) => action.after?.(exchange, reply))) exchange.answer(reply);
  }

  async function passWatch(
    call: Call,
    actions: readonly RequestAction[],
    from: IncomingMessage,
    to: ServerResponse,
  ): Promise<void> {
    if (isOver(to)) return void from.destroy();
    const watch = new LiveWatch(call, from, to);
    watches.add(watch);
    to.once('close', () => {
      watches.delete(watch);
      log.changed();
    });
    for (const action of actions) action.opened?.(watch);
    log.changed();
    await watch.pump(async (event) => {
      await paused?.promise;
      const fate = await fateOf(event, watch);
      log.changed();
      return fate;
    });
  }

  async function fateOf(event: WatchEvent, watch: LiveWatch): Promise<'pass' | 'drop'> {
    for (const action of rules.hitsOfEvent(watch.call, event)) {
      if ((await action.event(event, watch)) === 'drop') return 'drop';
    }
    return 'pass';
  }

  function keepList(call: Call, reply: Reply): void {
    const { pathname } = new URL(call.url, 'http://proxy');
    const kept = lists.get(pathname) ?? [];
    kept.push({ call, reply });
    if (kept.length > keepLists) kept.splice(1, 1);
    lists.set(pathname, kept);
  }

  const server = createServer((from, to) => {
    // Whatever fails between here and the API server, the caller sees what it would see of a broken connection.
    handle(from, to).catch(() => to.destroy());
  });
  // A held or stalled request must not be ended by the proxy's own patience.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;

  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  const proxy: FaultProxy = {
    url,
    rules,
    kubeconfig: (user) => kubeconfigText(url, user),
    counts: () => log.counts(),
    writes: () => log.writes(),
    lists: (match) =>
      [...lists.values()]
        .flat()
        .filter(({ call }) => matches(match, call))
        .map(({ reply }) => reply),
    watches: (match) => [...watches].filter((watch) => matches(match, watch.call)),
    waitFor: (isTrue, limitMs) => log.waitFor(() => isTrue(proxy), limitMs),
    down: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    up: async () => {
      if (!server.listening) await listen(port);
    },
    pause: () => {
      paused ??= Promise.withResolvers();
    },
    resume: () => {
      paused?.resolve();
      paused = undefined;
    },
    close: async () => {
      proxy.resume();
      await proxy.down();
      client.close();
    },
  };
  return proxy;
}

const isOver = (to: ServerResponse): boolean => to.writableEnded || to.destroyed;

/** Lets the actions have their turn, and stops at the first that answers or cuts. Says whether the caller still waits. */
async function isWaitingAfter(
  actions: readonly RequestAction[],
  to: ServerResponse,
  turn: (action: RequestAction) => void | Promise<void>,
): Promise<boolean> {
  for (const action of actions) {
    if (isOver(to)) return false;
    await turn(action);
  }
  return !isOver(to);
}

function exchangeOf(call: Call, to: ServerResponse): Exchange {
  return {
    call,
    answer: ({ status, headers, body }) => {
      to.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
    },
    cut: () => void to.destroy(),
  };
}

// Hop-by-hop headers (RFC 9110 section 7.6.1); lengths are set again.
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'content-length',
]);

function endToEnd(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !HOP_BY_HOP.has(name));
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}

function forwardedHeaders(from: IncomingMessage, body: Buffer): OutgoingHttpHeaders {
  // Compressed replies could not be read line by line.
  const { host: _, 'accept-encoding': __, ...headers } = endToEnd(from.headers);
  return body.length === 0 ? headers : { ...headers, 'content-length': body.length };
}

function kubeconfigText(url: string, user: ProxyUser): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    // @kubernetes/client-node refuses plain HTTP unless TLS checks are skipped. The proxy is on loopback only.
    clusters: [{ name: 'proxy', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'caller', user }],
    contexts: [{ name: 'proxy', context: { cluster: 'proxy', user: 'caller' } }],
    'current-context': 'proxy',
  });
}
