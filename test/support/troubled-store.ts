// An HTTP server in front of an object store, which counts calls and troubles some of them: the n-th, and those after it until it is over.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface StoreTrouble {
  /** Of the calls since `trouble` was set, from 1. */
  readonly from: number;
  readonly calls: number;
  /** Before the store hears of the call, or once it has done it: the caller hears nothing either way. */
  readonly when: 'before' | 'after';
  /** `cut`: the connection breaks; `fails`, `full`: as stores say so; `slow`: it is answered, after `slowMs`. */
  readonly how: 'cut' | 'fails' | 'full' | 'slow';
  /** What happens at the first of these calls, and is waited for. */
  readonly also?: (() => Promise<void>) | undefined;
}

export interface TroubledStore {
  readonly url: string;
  /** Calls since the last trouble was set. */
  readonly calls: number;
  trouble(next: StoreTrouble | undefined): void;
  close(): Promise<void>;
}

const SAYS = { fails: [500, 'InternalError'], full: [507, 'XMinioStorageFull'] } as const;

export async function troubledStore(target: string, slowMs: number): Promise<TroubledStore> {
  const { hostname, port } = new URL(target);
  let now: StoreTrouble | undefined;
  let calls = 0;

  async function handle(from: IncomingMessage, to: ServerResponse): Promise<void> {
    calls += 1;
    const troubled = now && calls >= now.from && calls < now.from + now.calls ? now : undefined;
    if (troubled && calls === troubled.from && troubled.when === 'before') await troubled.also?.();
    if (troubled?.how === 'slow') await pause(slowMs);
    if (troubled?.when === 'before' && troubled.how !== 'slow') return refuse(from, to, troubled.how);
    const { method, url: path, headers } = from;
    const upstream = request({ hostname, port, method, path, headers });
    from.once('close', () => from.complete || upstream.destroy());
    from.pipe(upstream);
    const [answer] = (await once(upstream, 'response')) as [IncomingMessage];
    if (troubled?.when === 'after' && troubled.how !== 'slow') {
      answer.resume();
      await once(answer, 'end');
      if (calls === troubled.from) await troubled.also?.();
      return refuse(from, to, troubled.how);
    }
    to.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(to);
  }

  const server = createServer((from, to) => {
    handle(from, to).catch(() => from.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get calls() {
      return calls;
    },
    trouble(next) {
      now = next;
      calls = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(from: IncomingMessage, to: ServerResponse, how: 'cut' | 'fails' | 'full'): void {
  if (how === 'cut') {
    from.socket.destroy();
    return;
  }
  const [status, code] = SAYS[how];
  from.resume();
  to.writeHead(status, { 'content-type': 'application/xml', connection: 'close' });
  to.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>as told</Message></Error>`);
}
