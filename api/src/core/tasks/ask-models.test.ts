// A task's call of a model goes through the listener as the person who began the run, with a token that is worth nothing afterwards.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Caller } from '../../platform/http/caller.ts';
import { AskModels } from './ask-models.ts';
import { TaskCallers } from './task-callers.ts';

const ann = {
  account: { id: 'ann', name: 'Ann', email: null, locale: 'en', platformRoles: [] },
  organization: { id: 'acme', role: 'member', namespace: 'org-acme' },
  session: { id: 's', kind: 'session', scopes: [], expiresAt: 0 },
} as Caller;
const NOW = Date.parse('2026-11-30');

let listener: Server;
let models: AskModels;
let authenticate: (token: string) => Promise<Caller | undefined>;
let seen: { token: string; path: string | undefined; body: string; caller: Caller | undefined }[];
let answer: { status: number; body: string };

beforeEach(async () => {
  seen = [];
  answer = { status: 200, body: '{"choices":[]}' };
  const callers = new TaskCallers();
  authenticate = callers.authenticate(async () => undefined);
  models = new AskModels(callers, () => NOW);
  listener = createServer(async (req, res) => {
    const token = `${req.headers.authorization}`.replace('Bearer ', '');
    seen.push({ token, path: req.url, body: await text(req), caller: await authenticate(token) });
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  }).listen(0, '0.0.0.0');
  await once(listener, 'listening');
  models.listensAt(`http://0.0.0.0:${(listener.address() as AddressInfo).port}`);
});
afterEach(() => {
  models.stop();
  listener.close();
  listener.closeAllConnections();
});

const call = { path: '/v1/chat/completions', body: '{"model":"tiny"}' };
const never = new AbortController().signal;

test('a call is made as the person, and booked to the task', async () => {
  expect(await models.ask(ann, 'uid-1', call, never)).toEqual({ status: 200, body: '{"choices":[]}' });
  const [one] = seen;
  expect(one).toMatchObject({ ...call, caller: { account: ann.account, organization: ann.organization } });
  expect(one?.caller?.session).toMatchObject({ kind: 'session', task: 'uid-1', scopes: [] });
});

test('each call has a token of its own, which nobody is let in with afterwards', async () => {
  await models.ask(ann, 'uid-1', call, never);
  await models.ask(ann, 'uid-1', call, never);
  const tokens = seen.map(({ token }) => token);
  expect(new Set(tokens).size).toBe(2);
  expect(await Promise.all(tokens.map(authenticate))).toEqual([undefined, undefined]);
});

test('a refusal of /v1 is an answer, with its status', async () => {
  answer = { status: 402, body: '{"error":{"message":"Top up."}}' };
  expect(await models.ask(ann, 'uid-1', call, never)).toEqual(answer);
});

test('an answer that is longer than a worker takes is none', async () => {
  answer = { status: 200, body: 'x'.repeat(9 * 1024 * 1024) };
  await expect(models.ask(ann, 'uid-1', call, never)).rejects.toThrow(/more than/);
});
