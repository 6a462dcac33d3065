// Metrics by hand in one browser, out of a real Prometheus: a GPU of the moment that gets hot, an object over time, and PromQL.
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { MONITOR_ROUTES } from '@gantry/contract/http/monitor.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { beforeAll, expect } from '@jest/globals';
import { setFault } from '../../hack/metrics/gpu-faults.ts';
import { eventually } from '../support/eventually.ts';
import type { Person } from '../support/sign-up.ts';
import { axeComplaints } from './axe.ts';
import type { Visitor } from './visitor.ts';
import { setWebStage, type WebStage } from './web-stage.ts';

const { story, web } = setWebStage();
const MEASURED_MS = 120_000;
let ann: Person;
let bob: Person;
let bobsNamespace: string;
let organizationId: string;
let id: string;
let uuid: string;

beforeAll(async () => {
  const { person, org } = await web().tenant('monitor_ann');
  await web().verify(person);
  const other = await web().tenant('monitor_bob');
  [bob, bobsNamespace] = [other.person, organizationNamespace(other.org.id)];
  [ann, organizationId] = [person, org.id];
  const body = {
    ...{ displayName: 'trainer', image: 'registry.gantry.internal/official/busybox:1.36', cores: 0.1, memoryGi: 0.125 },
    ...{ homeDisk: { sizeGi: 1 }, gpu: { model: 'Tesla-T4', count: 1 } },
  };
  ({ id } = await ann.client.must(KIND_ROUTES.gpuInstance.create, { body }));
  uuid = await eventually(
    'its GPU is measured',
    async () => {
      const { cards } = await ann.client.must(MONITOR_ROUTES.homeQuery, { body: {} });
      return cards.find((card) => card.object === id && card.utilization !== null)?.uuid;
    },
    MEASURED_MS,
  );
});

async function comesTo(stage: WebStage, path: string): Promise<Visitor> {
  const visitor = await stage.visitor();
  await visitor.isSignedInAs(ann, organizationId);
  await visitor.goes(path);
  return visitor;
}

story('the overview shows a GPU with its cost, and says in words that it is hot', async (stage) => {
  const visitor = await comesTo(stage, '/monitor/dashboard');
  const { page } = visitor;
  const models = page.getByRole('table', { name: 'GPUs by model' });
  await models.getByText('Tesla T4').waitFor();
  expect(await models.innerText()).toMatch(/\$\d/);
  await page.getByRole('table', { name: 'Objects' }).getByRole('link', { name: 'trainer' }).waitFor();
  expect(await axeComplaints(visitor)).toEqual([]);
  await setFault(stage.stage.cluster, uuid, { hot: true });
  await page.getByText('Hot: 97 °C').waitFor({ timeout: MEASURED_MS });
  await setFault(stage.stage.cluster, uuid, {});
  expect(await axeComplaints(visitor)).toEqual([]);
});

story('an object’s metrics are on its page, with a table behind each chart', async (stage) => {
  const visitor = await comesTo(stage, `/develop/instance/${id}/metrics`);
  const { page } = visitor;
  const panel = page.getByRole('region', { name: 'GPU utilisation' });
  await panel.getByText(/^Show the latest/).click();
  await panel.getByRole('table', { name: 'Values of GPU utilisation' }).waitFor();
  await panel.getByRole('button', { name: 'CSV' }).waitFor();
  expect(await axeComplaints(visitor)).toEqual([]);
});

story('objects are compared, and their Pods are told apart', async (stage) => {
  const visitor = await comesTo(stage, `/monitor/performance?type=instance&object=${id}&shift=day`);
  const { page } = visitor;
  await page.getByRole('region', { name: 'GPU power' }).getByText('trainer', { exact: true }).first().waitFor();
  await page.getByRole('switch', { name: 'By Pod' }).click();
  await page.getByRole('region', { name: 'GPU power' }).getByText(`${id}-1`, { exact: true }).first().waitFor();
  expect(await axeComplaints(visitor)).toEqual([]);
});

story('the metric centre says what a metric means, draws it, and says where a query is wrong', async (stage) => {
  const visitor = await comesTo(stage, '/monitor/metric?metric=DCGM_FI_DEV_GPU_TEMP');
  const { page } = visitor;
  await page.getByRole('heading', { name: 'DCGM_FI_DEV_GPU_TEMP' }).waitFor();
  await page.getByText('GPU temperature (in C).').waitFor();
  await page.getByRole('button', { name: 'Draw this metric' }).click();
  await page.getByRole('table', { name: 'Result' }).getByText(uuid).first().waitFor();
  expect(await axeComplaints(visitor)).toEqual([]);
  visitor.expects(/422 POST .*\/monitor\/v1\/query\/$/);
  await visitor.goes('/monitor/metric?query=info(up)');
  await page.getByText('Letter 1 of the query: info() is not available', { exact: false }).waitFor();
});

story('another organisation sees none of it', async () => {
  const { cards, objects } = await bob.client.must(MONITOR_ROUTES.homeQuery, { body: {} });
  expect({ cards, objects }).toEqual({ cards: [], objects: [] });
  const now = new Date();
  const window = { start: new Date(now.getTime() - 600_000).toISOString(), end: now.toISOString() };
  const query = '{__name__=~".+"} or DCGM_FI_DEV_GPU_TEMP{namespace=~".*"}';
  const { series } = await bob.client.must(MONITOR_ROUTES.query, { body: { query, ...window } });
  // The platform's own check of the network ran there.
  expect(series.filter(({ labels }) => labels.namespace !== bobsNamespace)).toEqual([]);
  const asked = { metrics: ['gpu' as const], type: 'instance' as const, object: id, ...window };
  expect((await bob.client.call(MONITOR_ROUTES.podQuery, { body: asked })).status).toBe(404);
});
