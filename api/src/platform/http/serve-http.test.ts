import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { expect, test } from '@jest/globals';
import { selfSignedCertificate } from '../../../../test/support/self-signed-certificate.ts';
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

test.each([
  ['TLSv1.1', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'],
  ['TLSv1.2', undefined],
  ['TLSv1.3', undefined],
] as const)('a client of %s is answered with %s', async (version, refusal) => {
  const tls = selfSignedCertificate();
  const serving = await serveHttp((_, res) => void res.end(), { host: '127.0.0.1', port: 0, tls });
  const { port } = serving.server.address() as { port: number };
  const versions = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
  const client = connectTls({ host: '127.0.0.1', port, ca: tls.cert, ...versions });
  const met = await once(client, 'secureConnect').then(
    () => ({ code: undefined, protocol: client.getProtocol() }),
    ({ code }: NodeJS.ErrnoException) => ({ code, protocol: null }),
  );
  expect(met).toEqual({ code: refusal, protocol: refusal === undefined ? version : null });
  client.destroy();
  await serving.stop();
});
