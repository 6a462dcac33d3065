// The cost of a new kind: its own files, and a line in each of three lists. CRD, roles, routes, live updates, buttons, its menu and
// its list for staff follow, proved with a scratch copy of this repository: its operator and its gateway as processes with their own
// rights on a real API server, its console in a browser, and its own tests.
import { join } from 'node:path';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { FINALIZER, organizationNamespace } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium } from 'playwright';
import { installTestPackages } from '../../hack/debian-packages.ts';
import { launchOperator, type OperatorProcess, startOperator } from '../faults/operator-process.ts';
import { kubeconfigOf } from '../support/account.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { LiveStream } from '../support/live.ts';
import { type Mailbox, openMailbox } from '../support/mail-sink.ts';
import { Person, signUp } from '../support/sign-up.ts';
import { isSoak } from '../support/soak.ts';
import { isWelcomed } from '../web/seed.ts';
import { CHROMIUM, Visitor } from '../web/visitor.ts';
import { makeScratch, readersOfLists, type Scratch } from './throw-away-kind/scratch.ts';

const BUILD_LIMIT_MS = 600_000;
const GROUP_LIMIT_MS = 900_000;
const STAFF_PASSWORD = 'Beacon-keeper-8';
const BEACONS = '/develop/v1/beacon';

interface Beacon extends KubeObject {
  status?: { phase: string; message: string; observedGeneration: number };
}
interface BeaconView {
  id: string;
  phase: string;
  sticky: boolean;
  actions: readonly { action: string }[];
}

let scratch: Scratch;
let server: ApiServer;
let operator: OperatorProcess;
let mailbox: Mailbox;
let gateway: GatewayProcess;
let browser: Browser;
let ann: Person;
let organization: string;
let namespace: string;

beforeAll(async () => {
  await installTestPackages();
  scratch = await makeScratch();
  server = await startApiServer({ platform: false, controllers: ['namespace', 'garbagecollector'] });
  await applyGenerated();
  operator = await startOperator({
    kubeconfig: await kubeconfigOf({ namespace: 'gantry-system', name: 'gantry-operator' }, server),
    launch: (place) => {
      const { file, args, env = {} } = launchOperator('--credit-gate=off', '--probe-every=24h')(place);
      const [program = '', ...flags] = args;
      return { file, args: [join(scratch.folder, program), ...flags], env };
    },
  });
  mailbox = await openMailbox();
  gateway = await GatewayProcess.start(server, {
    repository: scratch.folder,
    consoleDir: scratch.consoleDir,
    flags: [`--smtp-url=${mailbox.url}`],
  });
  browser = await chromium.launch(CHROMIUM);
  ann = await signUp(gateway.client, mailbox, 'annabel');
  const { org_id } = await ann.client.must(ORGANIZATION_ROUTES.getMyOrganization);
  organization = org_id;
  namespace = organizationNamespace(org_id);
  await ann.organizationReady();
  await isWelcomed(ann, org_id);
}, BUILD_LIMIT_MS);

afterAll(async () => {
  await browser?.close();
  await gateway?.close();
  await operator?.close();
  await mailbox?.close();
  await server?.stop();
  await scratch?.remove();
});

/** Ours first, established before roles and policies speak of them. */
async function applyGenerated(): Promise<void> {
  const { kubectl } = server;
  for (const file of scratch.generated) await kubectl.must(['apply', '--server-side', '--validate=strict', '-f', file]);
  await kubectl.must(['wait', '--for=condition=Established', '--timeout=30s', 'crd', '--all']);
}

const read = <T extends KubeObject>(plural: string, name = 'north') =>
  server.kubectl.get<T>(plural, name, '--namespace', namespace);
const apply = (spec: object) =>
  server.kubectl.run(['apply', '-f', '-'], {
    apiVersion: API_VERSION,
    kind: 'Beacon',
    metadata: { name: 'north', namespace },
    spec,
  });

const shines = (affinity: string) =>
  eventually(`it shines, ${affinity}`, async () => {
    const { metadata, status } = (await read<Beacon>('beacon')) ?? {};
    expect(status).toMatchObject({
      phase: 'lit',
      message: `It shines, ${affinity}.`,
      observedGeneration: metadata?.generation,
    });
    return true;
  });

async function ask(who: Person, method: string, path: string, body?: object, language = 'en') {
  const answer = await who.client.fetch(`/api${path}`, {
    method,
    headers: { 'accept-language': language, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const one = async (id: string): Promise<BeaconView> => (await ask(ann, 'GET', `${BEACONS}/${id}`)).body.result;

/** One that shines, made over HTTP. */
async function made(): Promise<BeaconView> {
  const { status, body } = await ask(ann, 'POST', BEACONS, { port: 80 });
  expect([status, body.result]).toEqual([201, expect.objectContaining({ port: 80, sticky: false })]);
  return eventually('it is lit', async () => {
    const beacon = await one(body.result.id);
    return beacon.phase === 'lit' ? beacon : undefined;
  });
}

test('a kind of its own files and three lines is made, kept, changed and taken away', async () => {
  await apply({});
  await shines('None');
  expect((await read('beacon'))?.metadata.finalizers).toEqual([FINALIZER.operator]);
  const service = await read('service');
  expect(service?.metadata.ownerReferences).toEqual([expect.objectContaining({ kind: 'Beacon', name: 'north' })]);

  await apply({ sticky: true });
  await shines('ClientIP');
  await server.kubectl.must(['delete', 'service', 'north', '--namespace', namespace]);
  await eventually(
    'another Service',
    async () => ((await read('service'))?.metadata.uid ?? service?.metadata.uid) !== service?.metadata.uid,
  );

  await server.kubectl.must(['delete', 'beacon', 'north', '--namespace', namespace]);
  expect(await read('beacon')).toBeUndefined();
  expect(await read('service')).toBeUndefined();
});

test('its rules, its columns, its roles and a limit came along', async () => {
  expect((await apply({ port: 22 })).stderr).toContain('port 22 is not for beacons');
  await apply({});
  await shines('None');
  const table = await server.kubectl.must(['get', 'bcn', 'north', '--namespace', namespace]);
  expect(table.split('\n').map((line) => line.split(/ +/).slice(0, 2))).toEqual([
    ['NAME', 'PHASE'],
    ['north', 'lit'],
    [''],
  ]);
  await server.kubectl.must(['delete', 'bcn', 'north', '--namespace', namespace]);
  const quota = await read<KubeObject & { spec: { hard: object } }>('resourcequota', 'kinds');
  expect(quota?.spec.hard).toMatchObject({ 'count/beacons.gantry.dev': '200' });
  const roles = await server.kubectl.must([
    'get',
    'clusterrole',
    'gantry-tenant-member',
    '-o',
    'jsonpath={.rules[0].resources}',
  ]);
  expect(JSON.parse(roles)).toContain('beacons');
});

test('it speaks the language of whoever reads: its reason with what fills it in, and its own rule', async () => {
  const { id } = await made();
  const { body } = await ask(ann, 'GET', `${BEACONS}/${id}`, undefined, 'zh');
  expect(body.result).toMatchObject({ phase_label: '已亮', message: '正在发光，None。' });
  const refused = await ask(ann, 'POST', BEACONS, { port: 22 }, 'ja');
  expect([refused.status, refused.body.message]).toEqual([400, 'port：port 22 はビーコンに使えません']);
  await ask(ann, 'DELETE', `${BEACONS}/${id}`);
  await eventually('it is gone', async () => (await ask(ann, 'GET', `${BEACONS}/${id}`)).status === 404);
});

test('the API lists it, commands it and tells of it', async () => {
  const { id, actions } = await made();
  expect(actions.map(({ action }) => action)).toEqual(['hold', 'edit', 'release']);
  const live = await LiveStream.open(ann.client, 'beacons');
  expect((await ask(ann, 'POST', `${BEACONS}/${id}/action`, { action: 'hold' })).status).toBe(202);
  await eventually('the stream tells of it', () =>
    live.resources.some((event) => event.id === id && event.view?.sticky === true),
  );
  live.close();
  await eventually('it is in the filtered list', async () => {
    const { body } = await ask(ann, 'GET', `${BEACONS}?sticky=true&status=lit`);
    return body.data.some((beacon: BeaconView) => beacon.id === id);
  });
  const { body } = await ask(ann, 'GET', `${BEACONS}?sticky=false`);
  expect(body.data).toEqual([]);
  const openapi = await ask(ann, 'GET', '/openapi.json');
  expect(openapi.body.paths).toHaveProperty(['/api/develop/v1/beacon/{id}/action']);

  const eve = await signUp(gateway.client, mailbox, 'evelyn');
  expect((await ask(eve, 'POST', `${BEACONS}/${id}/action`, { action: 'hold' })).status).toBe(404);
  expect((await ask(eve, 'GET', `${BEACONS}/${id}`)).status).toBe(404);
});

test('staff list it, give its command on a real API server, and see what came of it', async () => {
  const { id } = await made();
  const { name, password } = await gateway.administrator();
  const { ticket = '' } = await gateway.client.must(ACCOUNT_ROUTES.login, { body: { account: name, password } });
  await gateway.client.must(ACCOUNT_ROUTES.resetPassword, { body: { ticket, password: STAFF_PASSWORD } });
  const staff = new Person({ name, email: '', password: STAFF_PASSWORD, accountId: '' }, gateway.client);
  await staff.login();
  const row = `${namespace}.${id}`;
  const list = await ask(staff, 'GET', `/admin/beacons?filter=${encodeURIComponent(JSON.stringify({ id: row }))}`);
  expect(list.body).toMatchObject([
    {
      id: row,
      phase: 'lit',
      commands: expect.arrayContaining([expect.objectContaining({ action: 'hold' })]),
    },
  ]);
  const reason = 'its visitors lose their way';
  const told = await ask(staff, 'POST', `/admin/beacons/${row}/action`, { action: 'hold', reason });
  expect([told.status, told.body.message]).toEqual([202, expect.anything()]);
  await eventually('it is held', async () => (await one(id)).sticky);
  const about = await ask(staff, 'GET', `/admin/beacons/${row}/about`);
  const [newest] = about.body.audit;
  expect(newest).toMatchObject({ action: 'adminActBeacons', decision: 'allowed', reason: `hold: ${reason}` });
});

test('its form makes one, its list shows it, its button works, and its detail follows the stream', async () => {
  const visitor = await Visitor.come(browser, gateway.consoleUrl);
  try {
    await visitor.isSignedInAs(ann, organization);
    const { page } = visitor;
    await visitor.goes('/home');
    await page.getByRole('navigation').getByRole('link', { name: 'Beacons' }).click();
    await page.getByRole('heading', { name: 'Beacons' }).waitFor();
    await page.getByRole('button', { name: 'Add a beacon' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Port').fill('70000');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('65535').waitFor();
    await dialog.getByLabel('Port').fill('8081');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('row').filter({ hasText: '8081' }).getByRole('link').click();
    await page.getByText('It shines, None.').waitFor();
    await page.getByRole('button', { name: 'Hold' }).click();
    await page.getByText('It shines, ClientIP.').waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('listitem').getByText('It is being lit.').first().waitFor();
  } catch (error) {
    await visitor.picture('throw-away-kind');
    throw new Error(`${(error as Error).message}\n${visitor.faults().join('\n')}`, { cause: error });
  } finally {
    await visitor.leave();
  }
});

test('tests in a browser have an object of it to see on its pages', async () => {
  const inCopy = (file: string) => import(join(scratch.folder, 'test/web', file));
  const { seedOthers } = await inCopy('seed-others.ts');
  const others = await seedOthers(ann.client);
  const { pagesToSee } = await inCopy('pages.ts');
  const pages: { path: string }[] = await pagesToSee({ others });
  const paths = pages.map(({ path }) => path).filter((path) => path.startsWith('/develop/beacon'));
  expect(paths).toEqual(
    ['', `/${others.beacons}/overview`, `/${others.beacons}/history`].map((end) => `/develop/beacon${end}`),
  );
  expect((await one(others.beacons)).sticky).toBe(true);
});

/** A mistake in one of its files would show here first; the whole group of pages takes minutes. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'the laws of every plan, and every route': [
    ...['--selectProjects', 'unit', 'api', '--testPathPatterns', 'operator/src/laws', 'api/src/every-route'],
    ...['--testNamePattern', '[bB]eacon'],
  ],
  'what goes through all kinds, areas and tables, and the rules of the house': [
    ...['--selectProjects', 'unit', 'web-unit', 'house', '--testPathPatterns', 'test/house', ...readersOfLists()],
  ],
  ...(isSoak && { 'every page of the consoles': ['--selectProjects', 'web-unit'] }),
};
test.each(Object.entries(GROUPS))(
  'the tests of %s pass with it',
  async (_, args) => {
    const passed = await scratch.play(...args);
    expect(Object.entries(passed).filter(([, count]) => count === 0)).toEqual([]);
    expect(Object.keys(passed).length).toBeGreaterThan(1);
  },
  GROUP_LIMIT_MS,
);

test('it took one line in each of three files, and changed no other file of ours', () => {
  console.log(
    `files that a new kind changes besides its own: ${scratch.touched.length} (${scratch.touched.join(', ')})`,
  );
  expect(scratch.touched).toEqual(['console/src/areas.ts', 'contract/src/kinds.ts', 'operator/src/controllers.ts']);
});
