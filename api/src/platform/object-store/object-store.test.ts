// A store that accepts whatever is sent and says nothing.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ObjectStore, StoreAway } from './object-store.ts';

const KEYS = { bucket: 'models', region: 'us-east-1', accessKey: 'a', secretKey: 's' };
let server: Server;
let store: ObjectStore;

beforeEach(async () => {
  server = createServer(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  store = new ObjectStore({ url: `http://127.0.0.1:${port}`, ...KEYS }, 50);
});
afterEach(() => {
  store.close();
  server.closeAllConnections();
  server.close();
});

test.each([
  ['put', () => store.put('a', Buffer.from('b'))],
  ['remove', () => store.remove('a')],
])('%s does not wait for it for ever', async (_, call) => {
  const refused = await call().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreAway);
  expect((refused as StoreAway).message).toBe('the object store does not answer');
});
