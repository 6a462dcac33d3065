// Usage over HTTP: of the kind that the path names, to whoever may view.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { frameParts } from '../../../../../test/support/frame-parts.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { routerOf, runnablesOf } from '../../../platform/http/routes-of.ts';
import { objectUsageRoutes } from './usage-routes.ts';

const caller = {
  account: { id: 'acc-ann', name: 'ann', email: null, locale: 'en', platformRoles: [] },
  organization: { id: 'acme', role: 'viewer', namespace: 'org-acme' },
  session: { id: 'ses-ann', kind: 'session', scopes: [], expiresAt: Number.MAX_SAFE_INTEGER },
} as unknown as Caller;

let server: Server;
const asked: unknown[] = [];

beforeAll(async () => {
  const app = express().set('query parser', 'simple');
  const frame = frameParts({ authenticate: async () => caller });
  const { gpuInstance, gpuHost, job, containerService, modelDeployment, dataProcess, fineTune, evaluation } =
    KIND_ROUTES;
  const served = objectUsageRoutes({
    usage: {
      read(of, { kind }, id, part) {
        asked.push([of.organization.namespace, kind, id, part]);
        return { parts: [], part: null, step_seconds: 15, end_time: '2026-11-24T02:00:00.000Z', series: [] };
      },
    },
  });
  const measured = [gpuInstance, gpuHost, job, containerService, modelDeployment, dataProcess, fineTune, evaluation];
  const routes = measured.map(({ usage }) => usage);
  app.use('/api', routerOf(runnablesOf(frame, routes, served), app.get('trust proxy fn')));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const open = (path: string) => {
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/api${path}`, { headers: { 'x-token': 't' } });
};

test('each kind that is measured has its own, and a part is chosen by its name', async () => {
  const answer = await open('/develop/v1/instance/dev/figures');
  expect(await answer.json()).toMatchObject({ code: 0, result: { series: [], step_seconds: 15 } });
  expect((await open('/elnode/v1/instance/big/figures?part=node-b')).status).toBe(200);
  expect(asked).toEqual([
    ['org-acme', 'GpuInstance', 'dev', undefined],
    ['org-acme', 'GpuHost', 'big', 'node-b'],
  ]);
});

test.each(['?part=a&part=b', `?part=${'n'.repeat(254)}`, '?since=2026'])('the query %s is refused', async (query) => {
  expect((await open(`/develop/v1/instance/dev/figures${query}`)).status).toBe(400);
});
