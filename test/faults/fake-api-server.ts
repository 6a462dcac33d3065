// The least of an API server that the tests of this folder need, over real TLS: objects by path, one resourceVersion,
// lists, watches, create, replace, delete. Tests of the product use a real one.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { selfSignedCertificate } from '../support/self-signed-certificate.ts';
import { statusObject } from './status-object.ts';
import type { Upstream } from './upstream.ts';

export interface FakeObject {
  readonly metadata: { readonly name: string; readonly resourceVersion?: string };
  readonly [field: string]: unknown;
}

export interface FakeApiServer extends Upstream {
  readonly ca: string;
  /** Objects by path, e.g. `/api/v1/namespaces/a/pods/x`. */
  readonly objects: ReadonlyMap<string, FakeObject>;
  /** `<method> <path>` of everything that arrived, in order. */
  readonly arrived: readonly string[];
  /** The Authorization header of the latest request. */
  authorization(): string | undefined;
  put(path: string, object: FakeObject): void;
  openWatches(): number;
  /** Ends every watch in the ordinary way. */
  endWatches(): void;
  close(): Promise<void>;
}

export async function startFakeApiServer(): Promise<FakeApiServer> {
  const { key, cert } = selfSignedCertificate();
  const objects = new Map<string, FakeObject>();
  const watches = new Map<ServerResponse, string>();
  const arrived: string[] = [];
  let authorization: string | undefined;
  let resourceVersion = 0;

  function put(path: string, object: FakeObject): FakeObject {
    resourceVersion += 1;
    const type = objects.has(path) ? 'MODIFIED' : 'ADDED';
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(resourceVersion) } };
    objects.set(path, stored);
    tell(path, type, stored);
    return stored;
  }

  function tell(path: string, type: string, object: FakeObject): void {
    for (const [watch, prefix] of watches) {
      if (path.startsWith(prefix)) watch.write(`${JSON.stringify({ type, object })}\n`);
    }
  }

  async function handle(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const url = new URL(from.url ?? '/', 'https://fake');
    const path = url.pathname;
    const body = await text(from);
    arrived.push(`${from.method} ${path}`);
    authorization = from.headers.authorization;
    const answer = (code: number, value: unknown) => {
      to.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };

    if (url.searchParams.has('watch')) {
      watches.set(to, `${path}/`);
      to.once('close', () => watches.delete(to));
      to.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    } else if (from.method === 'POST') {
      const object = JSON.parse(body);
      const at = `${path}/${object.metadata.name}`;
      if (objects.has(at)) answer(409, statusObject(409, { reason: 'AlreadyExists' }));
      else answer(201, put(at, object));
    } else if (from.method === 'PUT') {
      answer(200, put(path.replace(/\/status$/, ''), JSON.parse(body)));
    } else if (from.method === 'DELETE') {
      const object = objects.get(path);
      objects.delete(path);
      if (object) tell(path, 'DELETED', object);
      answer(object ? 200 : 404, object ?? statusObject(404));
    } else if (objects.has(path)) {
      answer(200, objects.get(path));
    } else {
      const items = [...objects].filter(([at]) => at.startsWith(`${path}/`)).map(([, object]) => object);
      answer(200, { kind: 'List', metadata: { resourceVersion: String(resourceVersion) }, items });
    }
  }

  const server = createServer({ key, cert }, (from, to) => {
    handle(from, to).catch(() => to.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `https://127.0.0.1:${port}`,
    ca: cert,
    objects,
    arrived,
    authorization: () => authorization,
    put,
    openWatches: () => watches.size,
    endWatches: () => {
      for (const watch of watches.keys()) watch.end();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
