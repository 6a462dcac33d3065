import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { Agents, isAgentBusy } from './agents.ts';

test('one that carries something stays, however many others are asked for; an idle one goes', async () => {
  let finish = () => {};
  const server = createServer((_req, res) => {
    res.write('be');
    finish = () => res.end('gun');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agents = new Agents(1, isAgentBusy);
  const make = () => new Agent({ keepAlive: true });
  const busy = agents.of('busy', make);
  const [answer] = (await once(get({ port, agent: busy }), 'response')) as [IncomingMessage];
  const idle = agents.of('idle', make);
  agents.of('third', make);
  expect(agents.of('idle', make)).not.toBe(idle);
  expect(agents.of('busy', make)).toBe(busy);
  finish();
  expect(await text(answer)).toBe('begun');
  agents.stop();
  server.close();
});
