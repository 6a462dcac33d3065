// Runs and logs over HTTP: streamed as they come, to whoever may view, and never as something that a browser renders.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { MODEL_ROUTES } from '@gantry/contract/areas/models/models.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import express from 'express';
import { frameParts } from '../../../../../test/support/frame-parts.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { routerOf, runnablesOf } from '../../../platform/http/routes-of.ts';
import { type LogParts, logRoutes } from './log-routes.ts';
import type { LogWanted } from './run-logs.ts';

let server: Server;
let log: Readable;
let fault: Error | undefined;
let asked: { id: string; number?: number; part?: number | undefined; pod?: string | undefined; wanted: LogWanted }[];
let signOut: () => void;

const caller = {
  account: { id: 'acc-ann', name: 'ann', email: null, locale: 'en', platformRoles: [] },
  organization: { id: 'acme', role: 'viewer', namespace: 'org-acme' },
  session: { id: 'ses-ann', kind: 'session', scopes: [], expiresAt: Number.MAX_SAFE_INTEGER },
} as unknown as Caller;

beforeAll(async () => {
  const parts: LogParts = {
    logins: {
      follow: (_session, over) => {
        signOut = over;
        return () => {};
      },
    },
    logs: {
      runs: () => [
        { seq: 2, cause: 'crash', startedAt: '2026-11-23T10:02:00Z' },
        {
          ...{ seq: 1, cause: 'first', startedAt: '2026-11-23T10:00:00Z', endedAt: '2026-11-23T10:01:00Z' },
          ...{ exit: 'OOMKilled', exitCode: 137 },
          log: { image: 'registry.gantry.internal/org-acme/dev.log:1', bytes: 5, isCut: true },
        },
      ],
      readReplica: async (_caller, _facts, place, wanted, signal, write) => {
        asked.push({ ...place, wanted });
        await write(log, signal);
      },
      read: async (_caller, _facts, place, wanted, signal, write) => {
        asked.push({ ...place, wanted });
        if (fault) throw fault;
        signal.addEventListener('abort', () => log.destroy());
        await write(log, signal);
      },
    },
  };
  const app = express().set('query parser', 'simple');
  const { gpuInstance, job, containerService, modelDeployment, dataProcess, fineTune, evaluation } = KIND_ROUTES;
  const ofReplicas = [containerService.replicaLog, modelDeployment.replicaLog, MODEL_ROUTES.readDeploymentLog];
  const ofRuns = [gpuInstance, job, dataProcess, fineTune, evaluation].flatMap(({ runs, log }) => [runs, log]);
  const served = [...ofRuns, ...ofReplicas];
  const frame = frameParts({ authenticate: async () => caller });
  app.use('/api', routerOf(runnablesOf(frame, served, logRoutes(parts)), app.get('trust proxy fn')));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  log = Readable.from([Buffer.from('<script>\n')]);
  fault = undefined;
  asked = [];
});

const RUN = '/api/develop/v1/instance/dev/run';
const open = (path: string, language = 'en') => {
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-token': 't', 'accept-language': language } });
};

test('who may view lists the runs, in their language, and is not told where logs lie', async () => {
  const { data } = (await (await open(RUN, 'zh')).json()) as { data: object[] };
  expect(data).toEqual([
    {
      ...{ number: 2, cause: 'crash', start_time: '2026-11-23T10:02:00Z', end_time: null },
      ...{ exit: null, exit_label: null, exit_code: null, log: null },
    },
    {
      ...{ number: 1, cause: 'first', start_time: '2026-11-23T10:00:00Z', end_time: '2026-11-23T10:01:00Z' },
      ...{ exit: 'OOMKilled', exit_label: '内存不足', exit_code: 137, log: { bytes: 5, is_cut: true } },
    },
  ]);
});

test('a log is text to keep, whatever is in it', async () => {
  const answer = await open(`${RUN}/1/log?timestamps=true&tail=5&since=2026-11-23T10:00:00Z&search=x`);
  expect(await answer.text()).toBe('<script>\n');
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': 'attachment; filename="dev-1.log"',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
  const wanted = { follow: false, timestamps: true, tail: 5, since: '2026-11-23T10:00:00Z', search: 'x' };
  expect(asked).toEqual([{ id: 'dev', number: 1, wanted }]);
});

test.each<[string, string, object]>([
  [
    'the first worker of a run, where none is named',
    'deploy/v1/job/train/run/2/log',
    { id: 'train', number: 2, part: 0 },
  ],
  ['another worker', 'deploy/v1/job/train/run/2/log?worker=63', { id: 'train', number: 2, part: 63 }],
])('%s is read, as a file of its name', async (_what, path, place) => {
  const answer = await open(`/api/${path}`);
  await answer.text();
  expect(asked).toEqual([{ ...place, wanted: { follow: false, timestamps: false } }]);
  const { part } = place as { part: number };
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="train-2-${part}.log"`);
});

test.each([
  ['of its first replica, where none is named', '', undefined],
  ['of the replica that is named', '?pod=chat-model-1-abcde', 'chat-model-1-abcde'],
])('the log of a deployment is that %s', async (_what, query, pod) => {
  const answer = await open(`/api/model/v1/model/deployment/chat/log${query}`);
  expect([answer.status, await answer.text()]).toEqual([200, '<script>\n']);
  expect(asked).toMatchObject([{ id: 'chat', ...(pod !== undefined && { pod }) }]);
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${pod ?? 'chat'}.log"`);
});

test('a replica is named by its Pod', async () => {
  const answer = await open('/api/deploy/v1/service/web/replica/web-service-1-abcde/log?previous=true&tail=3');
  await answer.text();
  const wanted = { follow: false, timestamps: false, previous: true, tail: 3 };
  expect(asked).toEqual([{ id: 'web', pod: 'web-service-1-abcde', wanted }]);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="web-service-1-abcde.log"');
});

test('lines are sent as they come, until the session behind them ends', async () => {
  log = new Readable({ read() {} });
  const answer = await open(`${RUN}/2/log?follow=true`);
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  log.push('one\n');
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('one\n');
  signOut();
  await expect(reader.read()).rejects.toThrow();
  expect(log.destroyed).toBe(true);
});

test('who leaves ends what was read for them', async () => {
  log = new Readable({ read() {} });
  const closed = once(log, 'close');
  const answer = await open(`${RUN}/2/log?follow=true`);
  await answer.body?.cancel();
  await closed;
  expect(log.destroyed).toBe(true);
});

test.each([
  ['no number', 'x/log'],
  ['no run', '0/log'],
  ['a number beyond all', '99999999999/log'],
  ['a negative tail', '1/log?tail=-1'],
  ['no time', '1/log?since=yesterday'],
  ['a time that no server reads', '1/log?since=2026-11-23T24:00:00Z'],
  ['a hidden letter', '1/log?search=%E2%80%AE'],
  ['an unknown wish', '1/log?container=agent'],
  ['a worker of what has none', '1/log?worker=0'],
  ['an earlier program of a run', '1/log?previous=true'],
])('%s is refused before anybody is asked', async (_what, rest) => {
  expect((await open(`${RUN}/${rest}`)).status).toBe(400);
  expect(asked).toEqual([]);
});

test('a log that is not kept has its own sentence', async () => {
  fault = problem('log_not_kept');
  const answer = await open(`${RUN}/1/log`);
  expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([404, 'log_not_kept']);
});
