import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { serveHealth } from './health.ts';

test.each([
  ['everything is there', { missing: [], isStopping: false }, 200, 'ok\n'],
  ['kinds are still listed', { missing: ['pods', 'nodes'], isStopping: false }, 503, 'waiting for pods, nodes\n'],
  ['it stops', { missing: [], isStopping: true }, 503, 'stopping\n'],
])('readiness tells the truth when %s', async (_, { missing, isStopping }, code, body) => {
  const server = await serveHealth({
    host: '127.0.0.1',
    port: 0,
    registry: new Registry(),
    missing: () => missing,
    isStopping: () => isStopping,
  });
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`);
    expect([answer.status, await answer.text()]).toEqual([code, body]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
