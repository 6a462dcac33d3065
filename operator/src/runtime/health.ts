// Answers probes and Prometheus. Alive: it answers; ready: it has seen the whole cluster, standby or not.
import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';

export interface HealthParts {
  host: string;
  /** 0: any that is free. */
  port: number;
  registry: Registry;
  /** The parts still missing; ready when empty. */
  missing(): readonly string[];
  /** Never ready again. */
  isStopping(): boolean;
}

interface Answer {
  code: number;
  type: string;
  body: string;
}
const text = (code: number, body: string): Answer => ({ code, type: 'text/plain; charset=utf-8', body: `${body}\n` });

/** Serves /healthz, /readyz and /metrics. Rejects if it cannot listen on the address. */
export async function serveHealth({ host, port, registry, missing, isStopping }: HealthParts): Promise<Server> {
  const ready = (): Answer => {
    if (isStopping()) return text(503, 'stopping');
    const lacking = missing();
    return lacking.length === 0 ? text(200, 'ok') : text(503, `waiting for ${lacking.join(', ')}`);
  };
  const paths: Record<string, () => Answer | Promise<Answer>> = {
    '/healthz': () => text(200, 'ok'),
    '/readyz': ready,
    '/metrics': async () => ({ code: 200, type: registry.contentType, body: await registry.metrics() }),
  };
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const answer = await (paths[path]?.() ?? text(404, 'not found'));
    response.writeHead(answer.code, { 'content-type': answer.type }).end(answer.body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // Probes must not keep a stopping process alive.
  server.unref();
  return server;
}
