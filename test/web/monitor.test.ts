// Metrics and alerts by hand in one browser, out of a real Prometheus: a GPU of the moment that gets hot, an object over time,
// PromQL, dashboards, and an alarm from its policy to its end.

import { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import { NODE_ROUTES } from '@gantry/contract/areas/kinds/admin-computing.ts';
import { DASHBOARD_ROUTES } from '@gantry/contract/areas/monitoring/dashboards.ts';
import { MONITOR_ROUTES } from '@gantry/contract/areas/monitoring/monitor.ts';
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import { cardFaultsOf, gpuFaultsOf } from '@gantry/contract/gpu-conditions.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import type { AlertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import type { Job } from '@gantry/contract/kinds/job.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
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

story('the overview shows a GPU with its cost', async (stage) => {
  const visitor = await comesTo(stage, '/monitor/dashboard');
  const { page } = visitor;
  const models = page.getByRole('table', { name: 'GPUs by model' });
  await models.getByText('Tesla T4').waitFor();
  expect(await models.innerText()).toMatch(/\$\d/);
  await page.getByRole('table', { name: 'Objects' }).getByRole('link', { name: 'trainer' }).waitFor();
  expect(await axeComplaints(visitor)).toEqual([]);
});

story('an object’s metrics are on its page, with a table behind each chart', async (stage) => {
  const visitor = await comesTo(stage, `/develop/instance/${id}/metrics`);
  const { page } = visitor;
  const panel = page.getByRole('region', { name: 'GPU utilisation' });
  await panel.getByRole('button', { name: 'GPU utilisation as a table' }).click();
  await panel.getByRole('table', { name: 'Values of GPU utilisation' }).waitFor();
  await panel.getByRole('button', { name: 'GPU utilisation as CSV' }).waitFor();
  expect(await axeComplaints(visitor)).toEqual([]);
  // A point of the chart leads to what was written then.
  await panel.getByRole('group', { name: 'GPU utilisation', exact: true }).first().click();
  await page.getByRole('link', { name: 'Logs from this time' }).click();
  await page.getByText('The log has no line from', { exact: false }).waitFor();
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
  await page.getByRole('region', { name: 'Result' }).getByText(uuid).first().waitFor();
  expect(await axeComplaints(visitor)).toEqual([]);
  visitor.expects(/422 POST .*\/monitor\/v1\/query\/$/);
  await visitor.goes('/monitor/metric?query=info(up)');
  await page.getByText('Character 1 of the query: info() is not available', { exact: false }).waitFor();
});

/** Half a minute is the least in which a scrape of every quarter of one is always found. */
const AT_ONCE = {
  Period: '30',
  'Matching checks': '1',
  'Out of the last checks': '1',
  'Resolves after normal checks': '1',
};

story(
  'an alert on a GPU is mailed once, muted by the mail’s link, and resolved when the card is cool',
  async (stage) => {
    const { cluster, kubectl } = stage.stage;
    const [to, isFired] = [ann.email, /^Alarm: too_hot/m];
    const visitor = await comesTo(stage, `/develop/instance/${id}/metrics`);
    const { page } = visitor;
    await page.getByRole('link', { name: 'Create an alert' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('too_hot');
    await page.getByRole('button', { name: id }).waitFor();
    for (const [label, value] of Object.entries(AT_ONCE)) await page.getByLabel(label, { exact: false }).fill(value);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/^It would/).waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'too_hot', level: 1 }).waitFor();
    const policy = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByText('No alarm is firing.').waitFor({ timeout: MEASURED_MS });
    expect(await axeComplaints(visitor)).toEqual([]);

    await setFault(cluster, uuid, { hot: true });
    const overview = await comesTo(stage, '/monitor/dashboard');
    await overview.page.getByText('Hot: 93 °C').waitFor({ timeout: MEASURED_MS });
    expect(await axeComplaints(overview)).toEqual([]);
    await page.getByText('1 alarm is firing.').waitFor({ timeout: MEASURED_MS });
    const columns = ['get', 'alertpolicies', policy, '-n', organizationNamespace(organizationId), '--no-headers'];
    expect(await kubectl.must(columns)).toMatch(/ alerting +1 +GpuInstance +GpuTemperature /);
    const mail = await stage.mailbox.newest(to, isFired);
    const [link = ''] = /\/monitor\/mute#\S+/.exec(mail.text ?? '') ?? [];

    const reader = await stage.visitor();
    await reader.goes(link);
    await reader.page.getByText('Notifications of too_hot are muted').waitFor();
    expect(await axeComplaints(reader)).toEqual([]);
    await reader.page.getByRole('button', { name: 'Mute for 30 minutes' }).click();
    await reader.page.getByText('too_hot is muted until').waitFor();
    await page.getByText('Muted', { exact: true }).first().waitFor();

    await page.getByRole('link', { name: 'Alarms of this policy' }).click();
    await page.getByRole('cell', { name: 'Snoozed' }).waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByText('Notified by Mail.').waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);
    await setFault(cluster, uuid, {});
    await page.getByText('The value returned to normal.').waitFor({ timeout: MEASURED_MS });
    expect(await stage.mailbox.all(to, isFired)).toHaveLength(1);
  },
);

story('a policy made with kubectl is listed, and edited in the console', async (stage) => {
  const namespace = organizationNamespace(organizationId);
  const spec = {
    ...{ displayName: 'broken_jobs', objects: { kind: 'Job' }, metric: 'Failed' },
    rules: [{ compare: 'Above', value: 0, level: 'Critical' }],
  };
  const policy = { apiVersion: API_VERSION, kind: 'AlertPolicy', metadata: { name: 'broken-jobs', namespace }, spec };
  const visitor = await comesTo(stage, '/monitor/policy');
  const { page } = visitor;
  await stage.stage.kubectl.must(['apply', '-f', '-'], policy);
  await page.getByRole('link', { name: 'broken_jobs' }).waitFor();
  expect(await axeComplaints(visitor)).toEqual([]);
  await visitor.goes('/monitor/policy/broken-jobs/edit');
  await page.getByLabel('Limit').fill('1');
  expect(await axeComplaints(visitor)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Value above 1', { exact: false }).waitFor();
  const { spec: saved } =
    (await stage.stage.kubectl.get<AlertPolicy>('alertpolicy/broken-jobs', '-n', namespace)) ?? {};
  expect(saved?.rules).toEqual([{ type: 'Threshold', compare: 'Above', value: 1, level: 'Critical' }]);
});

story('a dashboard is made of panels, changed, exported to Grafana and imported again', async (stage) => {
  const visitor = await comesTo(stage, '/monitor/dashboard/all');
  const { page } = visitor;
  await page.getByText('No dashboard yet').waitFor();
  expect(await axeComplaints(visitor)).toEqual([]);
  await page.getByRole('button', { name: 'Create a dashboard' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Heat');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('No panel yet').waitFor();
  for (const [title, query] of [
    ['Temperature', 'DCGM_FI_DEV_GPU_TEMP'],
    ['Power', 'DCGM_FI_DEV_POWER_USAGE'],
  ] as const) {
    await page.getByRole('button', { name: 'Add a panel' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Title' }).fill(title);
    await dialog.getByRole('textbox', { name: 'Query in PromQL' }).fill(query);
    if (title === 'Power') expect(await axeComplaints(visitor)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: title }).getByText(uuid).first().waitFor();
  }
  await page.getByRole('button', { name: 'Actions for Power' }).click();
  await page.getByRole('menuitem', { name: 'Move earlier' }).click();
  await page.getByRole('region').first().getByRole('heading', { name: 'Power' }).waitFor();
  expect(await axeComplaints(visitor)).toEqual([]);

  await visitor.goes('/monitor/dashboard/all');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export: Heat' }).click();
  const file = await (await download).path();
  await page.getByLabel('Import from Grafana').setInputFiles(file);
  await page.getByRole('region', { name: 'Temperature' }).getByText(uuid).first().waitFor();
  const { dashboards } = await ann.client.must(DASHBOARD_ROUTES.listDashboards);
  expect(dashboards.map(({ title, panel_count: count }) => [title, count])).toEqual([
    ['Heat', 2],
    ['Heat', 2],
  ]);
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

story(
  'a fatal GPU error restarts a job of two workers elsewhere, and what it lost is credited on the bill',
  async (stage) => {
    const { cluster, kubectl } = stage.stage;
    const run = async () => {
      const found = await kubectl.get<Job>(`gpujob/${jobId}`, '-n', organizationNamespace(organizationId));
      return found?.status;
    };
    const { id: jobId } = await ann.client.must(KIND_ROUTES.job.create, {
      body: {
        ...{
          displayName: 'gang',
          image: 'registry.gantry.internal/official/busybox:1.36',
          cores: 0.1,
          memoryGi: 0.0625,
        },
        ...{ gpu: { model: 'Tesla-T4', count: 1 }, workers: 2 },
        // A worker that leaves a failed card within its second has lost nothing that it pays for.
        command: ['sh', '-c', 'trap "sleep 3; exit 143" TERM; sleep 600 & wait'],
      },
    });
    const began = await eventually(
      'both workers run',
      async () => {
        const status = await run();
        return status?.phase === 'running' ? status : undefined;
      },
      MEASURED_MS,
    );
    const { node = '', pod } = began.workers?.[0] ?? {};
    const card = await eventually(
      'the card of worker 0',
      async () => {
        const { cards } = await ann.client.must(MONITOR_ROUTES.homeQuery, { body: {} });
        return cards.find((one) => one.pod === pod)?.uuid;
      },
      MEASURED_MS,
    );
    await setFault(cluster, card, { xid: 79 });
    try {
      const again = await eventually(
        'another run',
        async () => {
          const status = await run();
          return status?.run?.seq === 2 && status.phase === 'running' ? status : undefined;
        },
        MEASURED_MS,
      );
      expect(again.run).toMatchObject({ cause: 'node' });
      expect(again.workers?.map((worker) => worker.node)).not.toContain(node);
      const credited = await eventually(
        'a credit',
        async () => {
          const rows = await ann.client.must(DOCUMENT_ROUTES.listTransactions, { query: {} });
          return rows.find(({ detail }) => detail.startsWith(`GPU fault on ${node}`));
        },
        MEASURED_MS,
      );
      expect(credited).toMatchObject({ reference: `Job/${jobId}` });
      const marked = await kubectl.get<Node>(`node/${node}`);
      const holders = expect.arrayContaining([`${organizationNamespace(organizationId)}/${pod}`]);
      expect(cardFaultsOf(marked)).toMatchObject([{ uuid: card, xids: [79], holders }]);
      // Whoever has another card runs on.
      const { phase } = await ann.client.must(KIND_ROUTES.gpuInstance.read, { params: { id } });
      expect(phase).toBe('running');
    } finally {
      await setFault(cluster, card, {});
    }
    // Whoever comes to that card until staff have seen to it loses time there, and is given it back.
    const { client: staff } = await stage.staff();
    for (const action of ['cordon', 'uncordon'] as const)
      await staff.must(NODE_ROUTES.adminActNodes, { params: { id: node }, body: { action, reason: 'card replaced' } });
    expect(gpuFaultsOf(await kubectl.get<Node>(`node/${node}`))).toEqual([]);
  },
);
