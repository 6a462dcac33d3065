// Dashboards over HTTP: shared in their organisation, changed by one at a time, and carried to Grafana and back. Also what other pages
// read of objects and their replicas.

import { SERVICE_ROUTES } from '@gantry/contract/areas/container-services/container-services.ts';
import { MOST_DASHBOARDS, DASHBOARD_ROUTES as R } from '@gantry/contract/areas/monitoring/dashboards.ts';
import { MONITOR_ROUTES } from '@gantry/contract/areas/monitoring/monitor.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { MOST_PANELS } from '@gantry/contract/monitor/panels.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import type { HttpClient } from '../../../../test/support/http-client.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';

let gateway: MemoryGateway;
let member: HttpClient;
let viewer: HttpClient;

beforeAll(async () => {
  const db = await migratedDatabase();
  await resetDatabase(db);
  gateway = await startMemoryGateway({ db });
  [member, viewer] = [gateway.client(gateway.tokens.member), gateway.client(gateway.tokens.viewer)];
}, 120_000);
afterAll(() => gateway.stop());

const heat = { title: 'Heat', query: 'DCGM_FI_DEV_GPU_TEMP', unit: 'celsius' as const, width: 'full' as const };
const listed = async (client: HttpClient) => (await client.must(R.listDashboards)).dashboards;

test('a dashboard that one member makes, all members see', async () => {
  const { id } = await member.must(R.createDashboard, { body: { title: 'GPUs', panels: [heat] } });
  expect(await listed(viewer)).toMatchObject([{ id, title: 'GPUs', panel_count: 1, version: 1, editor: 'member' }]);
  expect((await viewer.must(R.getDashboard, { params: { id } })).panels).toEqual([{ ...heat, chart: 'lines' }]);
});

test('of two who change the same dashboard the second is told so, and nothing is lost', async () => {
  const [{ id, version } = { id: '', version: 0 }] = await listed(member);
  const edit = (title: string) =>
    member.call(R.editDashboard, { params: { id }, body: { title, panels: [heat], version } });
  expect((await edit('first')).status).toBe(200);
  expect(await edit('second')).toMatchObject({ status: 409, body: { error: 'conflict' } });
  expect(await listed(viewer)).toMatchObject([{ title: 'first', version: version + 1 }]);
});

test('a dashboard that was exported is imported as it was', async () => {
  const [{ id } = { id: '' }] = await listed(member);
  const file = await viewer.must(R.exportDashboard, { params: { id } });
  const { dashboard, left } = await member.must(R.importDashboard, { body: { file } });
  expect(left).toEqual([]);
  expect(dashboard).toMatchObject({ title: 'first', panels: [{ ...heat, chart: 'lines' }] });
  await member.must(R.deleteDashboard, { params: { id: dashboard.id } });
  expect(await listed(viewer)).toHaveLength(1);
});

test('what is no dashboard, or too large a one, is refused', async () => {
  const refused = await member.call(R.importDashboard, { body: { file: { title: 'x' } } });
  expect(refused).toMatchObject({ status: 422, body: { error: 'dashboard_file' } });
  const panels = Array.from({ length: MOST_PANELS + 1 }, () => heat);
  const large = await member.call(R.createDashboard, { body: { title: 'x', panels } });
  expect(large).toMatchObject({ status: 400, body: { field: 'panels' } });
});

test('an organisation has so many dashboards at most', async () => {
  for (let count = 1; count < MOST_DASHBOARDS; count++)
    await member.must(R.createDashboard, { body: { title: `d ${count}`, panels: [] } });
  const more = await member.call(R.createDashboard, { body: { title: 'one more', panels: [] } });
  expect(more).toMatchObject({ status: 422, body: { error: 'too_many_dashboards' } });
});

test('the topology’s meta counts what the topology has', async () => {
  const { nodes, edges } = await viewer.must(MONITOR_ROUTES.topology);
  const { types, relations } = await viewer.must(MONITOR_ROUTES.topologyMeta);
  expect(types.length).toBeGreaterThan(3);
  for (const { type, count } of types)
    expect([type, count]).toEqual([type, nodes.filter((one) => one.type === type).length]);
  expect(types.reduce((sum, { count }) => sum + count, 0)).toBe(nodes.length);
  expect([...relations].sort()).toEqual([...new Set(edges.map(({ relation }) => relation))].sort());
  expect(relations).toContain('calls');
  // Another organisation has an alias, too.
  expect(JSON.stringify({ nodes, edges })).not.toMatch(/stranger|alias/);
});

test('what is served says since when it has so many replicas, and of the first number not who wanted it', async () => {
  const [service] = await viewer.must(KIND_ROUTES.containerService.list);
  const [deployment] = await viewer.must(KIND_ROUTES.modelDeployment.list);
  const recorded = (
    route: typeof SERVICE_ROUTES.listServiceScaling | typeof SERVICE_ROUTES.listDeploymentScaling,
    id = '',
  ) => eventually('a record of its replicas', async () => (await viewer.must(route, { params: { id } }))[0], 30_000);
  // Both rest.
  const nobody = { by: null, cause: null, cause_label: null, value: null, account_name: null };
  const first = { before: null, replicas: 0, ...nobody };
  expect(await recorded(SERVICE_ROUTES.listServiceScaling, service?.id)).toMatchObject(first);
  expect(await recorded(SERVICE_ROUTES.listDeploymentScaling, deployment?.id)).toMatchObject(first);
}, 60_000);

test('a member’s change of replicas has their name in the record', async () => {
  const [{ id = '' } = {}] = await viewer.must(KIND_ROUTES.containerService.list);
  const params = { id };
  // It was on a host that there is not; and autoscaling may decide before the change has been seen.
  const body = { host: null, autoscaling: null, replicas: 1 };
  await member.must(KIND_ROUTES.containerService.change, { params, body });
  await member.must(KIND_ROUTES.containerService.act, { params, body: { action: 'start' } });
  const change = await eventually(
    'a record of the change',
    async () => (await viewer.must(SERVICE_ROUTES.listServiceScaling, { params })).find(({ before }) => before === 0),
    30_000,
  );
  expect(change).toMatchObject({ by: 'manual', account_name: 'member' });
}, 60_000);
