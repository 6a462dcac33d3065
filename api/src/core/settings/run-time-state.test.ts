// A change made by one gateway counts on the others within two seconds, and the market shows what staff decided.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { Health, type HealthParts } from '../../areas/admin/health.ts';
import type { Database } from '../../platform/db/open.ts';
import { changedSettings, featureSwitches } from '../../platform/db/schema/operation.ts';
import { MarketModels, onMarket } from './market-models.ts';
import { RunTimeState } from './run-time-state.ts';
import { Settings } from './settings.ts';

let db: Database;
let clock: SteppedClock;
beforeAll(async () => {
  db = await migratedDatabase();
});
beforeEach(async () => {
  clock = new SteppedClock();
  await resetDatabase(db);
});
afterAll(() => db.close());

const read = (name: string, text: string) => {
  if (text === 'wrong') throw new Error('wrong');
  return { [name]: text };
};
const stateOf = () =>
  new RunTimeState<{ docs: string }>({ db, clock, log: { warn: () => {} }, installed: { docs: 'option' }, read });
const settingsOf = (state: RunTimeState<{ docs: string }>) =>
  new Settings({ db, clock, state, installed: { docs: 'option' } as never, check: read });

describe('two gateways', () => {
  test('a setting, a closed feature and a hidden model of one count on the other within two seconds', async () => {
    const [here, there] = [stateOf(), stateOf()];
    await Promise.all([here.start(), there.start()]);
    const specs = () => [{ gpu_type: 'L4', nodes: 1, total: 8, free: 8 }];
    const settings = settingsOf(here);
    await settings.change('docs', 'new', 'acc-staff');
    await settings.switch('terminal', { isOpen: false, note: { en: 'later', zh: '稍后', ja: '後で' } }, 'acc-staff');
    await new MarketModels({ db, clock, state: here, specs }).change('L4', { is_shown: false }, 'acc-staff');
    expect([here.values.docs, here.closed('terminal')?.note?.en]).toEqual(['new', 'later']);
    expect([there.values.docs, there.closed('terminal'), there.models.size]).toEqual(['option', undefined, 0]);
    await clock.step(2_000);
    await eventually('the other gateway knows', () => there.values.docs === 'new');
    expect([there.closed('terminal')?.note?.en, onMarket(specs(), there.models)]).toEqual(['later', []]);
    await settings.reset('docs');
    await clock.step(2_000);
    await eventually('the option counts', () => there.values.docs === 'option');
    here.stop();
    there.stop();
  });

  test('an older read that ends later does not open a feature again', async () => {
    // Each read of features is answered when the test says so, with what was there when it began.
    const answers: (() => void)[] = [];
    let features: object[] = [];
    const rowsNow = (table: unknown) => {
      if (table !== featureSwitches) return Promise.resolve([]);
      const then = features;
      return new Promise((resolve) => answers.push(() => resolve(then)));
    };
    const late = { sql: { select: () => ({ from: rowsNow }) } } as unknown as Database;
    const state = new RunTimeState({ db: late, clock, log: { warn: () => {} }, installed: {}, read });
    const reads = [state.refresh()];
    await eventually('the first read is under way', () => answers.length === 1);
    features = [{ feature: 'terminal', isOpen: false, note: null, name: 'terminal' }];
    reads.push(state.refresh());
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    answers.pop()?.();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    for (const _ of reads) {
      answers.pop()?.();
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    }
    await Promise.all(reads);
    expect(state.closed('terminal')).toEqual({ note: null });
  });

  test('a stored text that breaks the rule of a newer version leaves the option in place', async () => {
    await db.sql
      .insert(changedSettings)
      .values({ name: 'docs', value: 'wrong', changedAt: new Date(), changedBy: 'x' });
    const state = stateOf();
    await state.start();
    expect(state.values.docs).toBe('option');
    state.stop();
  });
});

describe('the market', () => {
  const SPECS = ['A100', 'H100', 'L4', 'T4'].map((gpu_type) => ({ gpu_type, nodes: 1, total: 8, free: 4 }));

  test('models with a place come first, hidden ones not at all, and a note stands at its model', async () => {
    const state = stateOf();
    const models = new MarketModels({ db, clock, state, specs: () => SPECS });
    const note = { en: 'Cheap', zh: '便宜', ja: '安い' };
    await models.change('T4', { position: 1, note }, 'acc-staff');
    await models.change('L4', { position: 0 }, 'acc-staff');
    await models.change('A100', { is_shown: false }, 'acc-staff');
    expect(onMarket(SPECS, state.models).map(({ gpu_type, note: said }) => [gpu_type, said?.en])).toEqual([
      ['L4', undefined],
      ['T4', 'Cheap'],
      ['H100', undefined],
    ]);
    // Staff still see it, and what is left out of a change stays.
    await models.change('T4', { is_shown: false }, 'acc-staff');
    const { items, total } = models.page({ sort: ['id', 'ASC'], range: [0, 9], filter: { is_shown: false } });
    expect([total, items]).toMatchObject([2, [{ id: 'A100' }, { id: 'T4', position: 1, note, gpus: 8, free: 4 }]]);
    await expect(models.change('V100', {}, 'acc-staff')).rejects.toMatchObject({ problem: 'not_found' });
  });
});

describe('health', () => {
  const lease = (name: string, ageMs: number, more: object = {}) => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'gantry-system', ...more },
    spec: { holderIdentity: 'host_1', renewTime: new Date(clock.now() - ageMs).toISOString().replace('Z', '000Z') },
  });
  const pod = (name: string, app: string, more: object) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { 'app.kubernetes.io/name': app } },
    ...more,
  });
  const AGENT = { labels: { 'gantry.dev/kind': 'Agent' } };
  const GOOD = { isConfigured: true, lastAt: new Date(0), hasFailed: false, isLate: false };
  const nobody = async () => ({ items: [] });
  const rowsOf = async (
    list: (kind: string) => Promise<{ items: unknown[] }>,
    answer = 401,
    backups = GOOD,
    elsewhere: ReturnType<HealthParts['cluster']['elsewhere']> = [],
  ) => {
    const health = new Health({
      db,
      clock,
      version: '1',
      registryUrl: 'https://registry.example',
      canMail: true,
      wanted: { contact: () => '', issuer: () => undefined },
      backups: { where: 'backups', status: async () => backups },
      cluster: {
        list: ({ kind }) => list(kind) as never,
        nodes: () => ['n1', 'n2', 'n3'],
        elsewhere: () => elsewhere,
      },
      fetch: async () => {
        if (answer === 0) throw new TypeError('away');
        return new Response('', { status: answer });
      },
    });
    const rows = await health.rows();
    return rows.filter(({ component }) => !['database', 'mail', 'gateway', 'contact'].includes(component));
  };

  test('agents and operator are judged by their Leases, the door by its Pod', async () => {
    const leases = [
      lease('gantry-operator', 1_000, { annotations: { 'gantry.dev/version': '1.2.3' } }),
      lease('n1.agent', 10_000, AGENT),
      lease('n2.agent', 91_000, AGENT),
    ];
    const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
    const pods = [
      pod('agent-n1', 'gantry-agent', { spec: { nodeName: 'n1', containers: [{ image: 'r/agent:7@sha256:aa' }] } }),
      pod('door', 'gantry-ssh-door', { status: ready, spec: { containers: [{ image: 'r:5000/door' }] } }),
      pod('stranger', 'ssh-door', { status: ready }),
    ];
    const rows = await rowsOf(async (kind) => ({ items: kind === 'Lease' ? leases : pods }));
    expect(
      rows.map(({ component, name, state, version, trouble }) => [component, name, state, version, trouble]),
    ).toEqual([
      ['operator', 'host_1', 'ok', '1.2.3', null],
      ['nodeAgent', 'n1', 'ok', '7', null],
      ['nodeAgent', 'n2', 'down', null, 'agentSilent'],
      ['nodeAgent', 'n3', 'down', null, 'agentMissing'],
      ['door', 'door', 'ok', null, null],
      ['registry', 'registry.example', 'ok', null, null],
      ['backup', 'backups', 'ok', null, null],
    ]);
  });

  test('each other cluster is a row: followed, no longer followed, or never', async () => {
    const rows = await rowsOf(nobody, 401, GOOD, [
      { region: { id: 'eu-west', label: 'EU West Paris' }, isCurrent: true, staleSince: undefined },
      { region: { id: 'asia', label: 'Asia' }, isCurrent: false, staleSince: clock.now() - 60_000 },
      { region: { id: 'moon', label: 'moon' }, isCurrent: false, staleSince: undefined },
    ]);
    const aMinuteAgo = new Date(clock.now() - 60_000).toISOString();
    expect(
      rows
        .filter(({ component }) => component === 'cluster')
        .map(({ id, name, state, seen_at, trouble }) => [id, name, state, seen_at, trouble]),
    ).toEqual([
      ['cluster.eu-west', 'EU West Paris', 'ok', new Date(clock.now()).toISOString(), null],
      ['cluster.asia', 'Asia', 'down', aMinuteAgo, 'clusterAway'],
      ['cluster.moon', 'moon', 'down', null, 'clusterAway'],
    ]);
  });

  test('what cannot be read or does not answer is a row, and no failure of the list', async () => {
    const rows = await rowsOf(() => Promise.reject(new Error('forbidden')), 0);
    expect(rows.map(({ component, trouble }) => [component, trouble])).toEqual([
      ['operator', 'notReadable'],
      ['nodeAgent', 'notReadable'],
      ['door', 'notReadable'],
      ['registry', 'registrySilent'],
      ['backup', null],
    ]);
  });

  test.each([
    ['none are made', { isConfigured: false }, 'backupOff'],
    ['the last one failed', { hasFailed: true, isLate: true }, 'backupFailed'],
    ['the schedule came round twice without one', { isLate: true }, 'backupLate'],
  ])('backups: %s', async (_what, status, trouble) => {
    const rows = await rowsOf(async () => ({ items: [] }), 401, { ...GOOD, ...status });
    expect(rows.at(-1)).toMatchObject({ component: 'backup', state: 'warning', trouble });
  });
});
