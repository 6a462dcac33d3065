// The built console as the gateway serves it, beside an API that answers at once: the browser's work is measured. Its one
// organisation has as many instances as a row needs, and it can send changes to listeners.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ResourceEvent } from '@gantry/contract/areas/messages/messages.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { tenantNodes } from '@gantry/contract/permission-nodes.ts';
import { ROLE_RIGHTS } from '@gantry/contract/roles.ts';
import express, { type Response } from 'express';
import { serveConsole } from '../../api/src/platform/http/serve-console.ts';
import { builtConsole } from '../../hack/web-apps.ts';

const ORG = 'bench';
const ACCOUNT = 'acc-bench';
export const TOKEN = 'bench-token';
const USD = 'USD';
const MADE = Date.UTC(2026, 0, 1);

export interface WebScene {
  readonly url: string;
  readonly instances: readonly InstanceView[];
  /** To everybody who listens. */
  tell(change: InstanceView): void;
  close(): Promise<void>;
}

export async function openWebScene(count: number): Promise<WebScene> {
  const instances = Array.from({ length: count }, (_, index) => instance(index));
  const listeners = new Set<Response>();
  let version = 1_000;
  const app = express();
  app.get(api(CALLS.streamMessages), (_req, res) => {
    res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }).flushHeaders();
    listeners.add(res);
    res.once('close', () => listeners.delete(res));
  });
  app.get(api(CALLS.listInstances), (_req, res) => void res.json(listOf(instances)));
  app.get('/version.json', async (_req, res) => void res.json({ version: await versionOfBuild() }));
  for (const [{ path, method }, answer] of answers())
    app[method === 'GET' ? 'get' : 'post'](api({ path }), (_req, res) => void res.json(answer));
  // Every other list is empty.
  app.use('/api', (_req, res) => void res.json(listOf([])));
  app.use(serveConsole({ folder: await builtConsole() }));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    instances,
    tell: (view) => {
      const { kind } = KINDS.gpuInstance;
      const event: ResourceEvent = { kind, id: view.id, type: 'put', view: { ...view }, version: `${version++}` };
      for (const listener of listeners) listener.write(`event: resource\ndata: ${JSON.stringify(event)}\n\n`);
    },
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** With another version the page would announce an update. */
const versionOfBuild = async (): Promise<string> =>
  JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')).version;

const api = ({ path }: { readonly path: string }) => `/api${path.replace(/\{(\w+)\}/g, ':$1')}`;
const result = (value: object) => ({ code: 0, message: 'ok', result: value });

const listOf = (data: readonly unknown[]) => ({
  code: 0,
  message: 'ok',
  data,
  // All at once, whatever page was asked for.
  paginated: { page: 1, size: data.length, total_num: data.length, total_page: 1, num: data.length, extra: {} },
});

function answers(): readonly (readonly [{ readonly path: string; readonly method: string }, object])[] {
  const organization = { org_id: ORG, org_name: ORG, role: 'owner', phase: 'ready', is_new: false, currency: USD };
  const money = { currency: USD, balance: '100.00', available: '100.00', held: '0.00', per_hour: '0.00' };
  const session = { token: TOKEN, account_id: ACCOUNT, org_id: ORG, expires_at: '2126-01-01T00:00:00Z' };
  const price = { per: 'hour', amount: '1.19', list: '1.19', discount_percent: 0, currency: USD };
  const offer = (gpu_type: string) => ({
    id: gpu_type,
    gpu_type,
    name: gpuName(gpu_type),
    gpu_memory_gi: 80,
    gpu_count: 8,
    card_cores: 14,
    card_memory_gi: 115,
    total: 16,
    free: 16,
    starts: [{ count: 1, free: 16 }],
    price,
  });
  return [
    [
      CALLS.getSettings,
      result({
        market: 'overseas',
        region_label: 'US East Washington',
        register_type: 'email',
        login_types: ['password'],
        login_providers: [],
        payment_channels: [],
        welcome_credits: '100.00',
        real_name_documents: ['idCard', 'passport'],
        real_name_review_hours: 24,
        staff_second_factor: 'optional',
        console_variant: 'full',
        terms_version: '1',
      }),
    ],
    [CALLS.getBillingConfig, result({ currency: USD, prices: [], disk: { amount: '0.10' } })],
    [
      CALLS.listGpuSpecs,
      listOf(['NVIDIA-A100-SXM4-40GB', 'NVIDIA-H100-80GB-HBM3', 'NVIDIA-L40S', 'Tesla-T4'].map(offer)),
    ],
    [CALLS.switchOrganization, result(session)],
    [CALLS.getMyOrganization, result({ ...organization, balance: '100.00', rights: ['view', 'use', 'pay', 'manage'] })],
    [CALLS.getMe, result({ account_id: ACCOUNT, username: 'bench_person', org_id: ORG, platform_roles: [] })],
    [CALLS.getPermissionNodes, listOf(tenantNodes(ROLE_RIGHTS.owner, Object.values(ROUTES), KINDS))],
    [CALLS.getWalletBalances, result({ ...money, in_credit: true, hours_left: null })],
    [CALLS.listMessages, result({ data: [], un_read: 0, next_cursor: '0', has_more: false })],
  ];
}

/** The newest first, as the list shows them. */
function instance(index: number): InstanceView {
  const image = 'registry.gantry.internal/official/busybox:1.36';
  const displayName = `training_run_${index}`;
  return {
    id: `ins-${index.toString(36).padStart(8, '0')}`,
    name: displayName,
    phase: 'running',
    phase_label: 'Running',
    tone: 'good',
    reason: 'Running',
    message: 'The instance is running.',
    actions: [
      { action: 'stop', label: 'Stop', danger: 'interrupts', spends: false },
      { action: 'hardReboot', label: 'Hard reboot', danger: 'interrupts', spends: true },
    ],
    conditions: [],
    creator: ACCOUNT,
    generation: 1,
    create_time: new Date(MADE - index * 60_000).toISOString(),
    region: 'us-east',
    data_center: 'US East Washington',
    status: 'running',
    specification: '0.1 cores, 0.125 GiB',
    gpu: null,
    cards: 0,
    cores: 0.1,
    memory_gi: 0.125,
    root_limit_gi: 1,
    root_used_bytes: null,
    process_limit: 4096,
    health: 'normal',
    health_label: 'Normal',
    payment: 'usage',
    price: { per: 'hour', amount: '0.001998', list: '0.001998', discount_percent: 0, currency: USD },
    image,
    image_type: 'base',
    home_used_bytes: null,
    home_total_bytes: null,
    host: null,
    node: null,
    address: null,
    has_notebook_token: true,
    ssh_address: null,
    running_since: new Date(MADE).toISOString(),
    saved_time: null,
    saved_bytes: null,
    home_saved_time: null,
    home_saved_bytes: null,
    save: null,
    run: null,
    history: [],
    spec: { displayName, image, cores: 0.1, memoryGi: 0.125 },
  };
}
