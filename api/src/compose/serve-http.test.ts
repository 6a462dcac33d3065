import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect, test } from '@jest/globals';
import { serveHttp } from './serve-http.ts';

test('a connection whose TLS handshake never comes is closed, not written to', async () => {
  const serving = await serveHttp(() => {}, { host: '127.0.0.1', port: 0 });
  const raw = createServer().listen(0, '127.0.0.1');
  await once(raw, 'listening');
  const client = connect((raw.address() as { port: number }).port, '127.0.0.1');
  const [inside] = (await once(raw, 'connection')) as [Socket];
  const closed = once(client.resume(), 'close');
  // As Node tells it after its own time limit.
  const error = Object.assign(new Error('no handshake'), { code: 'ERR_TLS_HANDSHAKE_TIMEOUT' });
  serving.server.emit('clientError', error, new TLSSocket(inside, { isServer: true }));
  await closed;
  expect(client.bytesRead).toBe(0);
  raw.close();
  await serving.stop();
});
