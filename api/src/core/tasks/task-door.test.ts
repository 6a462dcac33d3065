import { Agent, createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Aside } from '../../platform/aside/aside.ts';
import { Refused, Restarted, TaskDoor } from './task-door.ts';

const BOOT = 'a'.repeat(32);
/** Calls for the worker's questions that wait to be answered. */
const asking: ServerResponse[] = [];
const server = createServer((request, response) => {
  if (request.url?.startsWith('/ask')) asking.push(response);
  else
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ boot: BOOT, lines: [], refused: 0 }));
});
const agent = new Agent();
const aside = new Aside();
const { signal } = new AbortController();
const doorOf = () =>
  new TaskDoor(
    { id: 'acme', host: '127.0.0.1', port: (server.address() as AddressInfo).port, agent, token: 'a token' },
    aside,
  );
const asked = async () => {
  while (asking.length === 0) await new Promise((resolve) => setImmediate(resolve));
  return asking.pop() as ServerResponse;
};

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve())));
afterAll(async () => {
  agent.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test('a call that went out before the start was known does not say that the agent has started anew', async () => {
  const door = doorOf();
  const early = door.asks(0, signal).catch((error: unknown) => error);
  const waiting = await asked();
  await door.journal(0, signal);
  waiting.writeHead(409).end('boot: is missing');
  expect(await early).toBeInstanceOf(Refused);
});

test('one that names the start does', async () => {
  const door = doorOf();
  await door.journal(0, signal);
  const later = door.asks(0, signal).catch((error: unknown) => error);
  (await asked()).writeHead(409).end('boot: is another');
  expect(await later).toBeInstanceOf(Restarted);
});
