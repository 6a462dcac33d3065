// The built operators' console as the gateway serves it, beside an API that answers at once: a list of accounts of which there are a
// hundred thousand. And any other app, alone.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { staffNodes } from '@gantry/contract/permission-nodes.ts';
import express, { type Express } from 'express';
import { serveConsole } from '../../api/src/platform/http/serve-console.ts';

const TOTAL = 100_000;
const MADE = Date.UTC(2026, 0, 1);

export interface AdminScene {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves an app from its folder; what it asks of the API is answered emptily. */
export const openAppScene = (folder: string): Promise<AdminScene> => {
  const app = express();
  app.use('/api', (_req, res) => void res.json(result({})));
  return serve(app, folder);
};

/** Serves the operators' console to somebody with every role. */
export function openAdminScene(folder: string): Promise<AdminScene> {
  const app = express();
  const nodes = staffNodes(['administrator'], Object.values(ROUTES));
  const me = {
    account_id: 'acc-bench',
    username: 'bench_person',
    platform_roles: ['administrator'],
    second_factor: true,
  };
  app.get(`/api${CALLS.getSettings.path}`, (_req, res) => void res.json(result({ staff_second_factor: 'optional' })));
  app.get(`/api${CALLS.getMe.path}`, (_req, res) => void res.json(result(me)));
  app.get(
    `/api${CALLS.getPermissionNodes.path}`,
    (_req, res) => void res.json({ code: 0, message: 'ok', data: nodes }),
  );
  app.get('/api/admin/users', (req, res) => {
    const [first = 0, last = 24] = JSON.parse(`${req.query.range ?? '[0,24]'}`) as number[];
    res.set('Content-Range', `users ${first}-${last}/${TOTAL}`);
    res.json(Array.from({ length: last - first + 1 }, (_, index) => user(first + index)));
  });
  app.get('/api/admin/:resource', ({ params: { resource } }, res) => {
    res.set('Content-Range', `${resource} */0`).json([]);
  });
  app.use('/api', (_req, res) => void res.json(result({})));
  return serve(app, folder);
}

const result = (value: object) => ({ code: 0, message: 'ok', result: value });

const user = (index: number) => ({
  id: `acc-${index}`,
  name: `person_${index}`,
  email: `person_${index}@example.com`,
  phone: null,
  kind: 'personal',
  locale: 'en',
  disabled_at: null,
  created_at: new Date(MADE - index * 1000).toISOString(),
  platform_roles: [],
  organizations: [{ id: `org${index}`, role: 'owner' }],
});

async function serve(app: Express, folder: string): Promise<AdminScene> {
  app.use(serveConsole({ folder }));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
