// Connections into a Pod on real sockets; the API server is played at the wire.
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { turns } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PodApiServer } from '../../../../test/support/pod-api-server.ts';
import { podAgent } from './pod-stream.ts';

const PORT = 8080;
/** More than HTTP keeps of an answer; the rest fits into the stream. */
const BODY = Buffer.alloc(500_000, 'x');

let cluster: PodApiServer;
let server: Server;
/** Connections of the gateway to the API server. */
let wires: Socket[];
let agent: Agent;

beforeEach(async () => {
  cluster = await PodApiServer.start();
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  cluster.ports.set(PORT, (server.address() as AddressInfo).port);
  wires = [];
  const wire = new Agent();
  wire.createConnection = (options) => {
    const socket = connect(options as NetConnectOpts);
    wires.push(socket);
    return socket;
  };
  const socketTarget = async (path: string) => ({ ...(await cluster.as('ann').socketTarget(path)), agent: wire });
  agent = podAgent({ socketTarget }, { namespace: 'org-acme', pod: 'dev' }, PORT);
});
afterEach(async () => {
  agent.destroy();
  await cluster.stop();
  server.close();
});

const inside = async () => (await once(server, 'connection')) as [Socket];
const open = () =>
  new Promise<Duplex>((resolve, reject) => {
    agent.createConnection({}, (error, stream) => (stream ? resolve(stream) : reject(error)));
  });
async function wireCloses() {
  const wire = wires[0] as Socket;
  if (!wire.closed) await once(wire, 'close');
  await turns();
}

test('an answer that ends with its connection is whole, however late it is read', async () => {
  const asked = get({ agent, path: '/' });
  const [pod] = await inside();
  pod.end(Buffer.concat([Buffer.from('HTTP/1.0 200 OK\r\n\r\n'), BODY]));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  await wireCloses();
  expect((await buffer(answer)).equals(BODY)).toBe(true);
});

test('a connection that the Pod closes is over, also where nobody reads it', async () => {
  const [stream, [pod]] = await Promise.all([open(), inside()]);
  pod.end();
  await once(stream, 'close');
});

test.each([
  { at: 'while the Pod goes on', closes: false },
  { at: 'after the Pod has closed', closes: true },
])('whoever leaves $at keeps nothing open, whatever is left unread', async ({ closes }) => {
  const [stream, [pod]] = await Promise.all([open(), inside()]);
  const isOver = Promise.all([once(stream, 'close'), once(pod, 'close')]);
  pod.write('x');
  if (closes) {
    pod.end();
    await wireCloses();
  }
  stream.end();
  await isOver;
});

test('a refusal that breaks off is a refusal, and no failure that nobody waits for', async () => {
  const rude = createServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 403 No\r\nContent-Length: 100\r\n\r\nno', () => socket.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(rude, 'listening');
  const url = `ws://127.0.0.1:${(rude.address() as AddressInfo).port}/`;
  const socketTarget = async () => ({ url, headers: {}, agent: new Agent() });
  const refused = podAgent({ socketTarget }, { namespace: 'org-acme', pod: 'dev' }, PORT);
  await expect(once(get({ agent: refused, path: '/' }), 'response')).rejects.toMatchObject({ name: 'PodUnreachable' });
  rude.close();
});
