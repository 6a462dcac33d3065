import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { crashEverywhere, type Scenario } from './crash-scenarios.ts';
import { type FakeApiServer, startFakeApiServer } from './fake-api-server.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { normalState } from './normal-state.ts';
import { type OperatorProcess, startOperator } from './operator-process.ts';
import { waitUntil } from './wait-until.ts';

const SCRIPT = fileURLToPath(new URL('./fixtures/tiny-operator.ts', import.meta.url));
const WIDGETS = '/apis/example.com/v1/namespaces/a/widgets';
const PODS = '/api/v1/namespaces/a/pods';

let api: FakeApiServer;
let proxy: FaultProxy;
let operator: OperatorProcess | undefined;

beforeEach(async () => {
  api = await startFakeApiServer();
  proxy = await startFaultProxy({ upstream: api });
});

afterEach(async () => {
  await operator?.close();
  await proxy.close();
  await api.close();
});

async function startTinyOperator(...flags: string[]): Promise<OperatorProcess> {
  operator = await startOperator({
    kubeconfig: proxy.kubeconfig({ token: 't' }),
    launch: ({ kubeconfigPath, healthPort }) => ({
      file: process.execPath,
      args: [SCRIPT, `--health-port=${healthPort}`, ...flags],
      env: { KUBECONFIG: kubeconfigPath },
    }),
  });
  return operator;
}

const podsOf = (place: string) => [...api.objects.keys()].filter((path) => path.startsWith(`${PODS}/${place}-`));
const widget = (place: string) => api.objects.get(`${WIDGETS}/${place}`);

const started: Scenario = {
  name: 'started',
  run: async (place) => {
    api.put(`${WIDGETS}/${place}`, { metadata: { name: place } });
    await waitUntil('a status', () => widget(place)?.status, { limitMs: 20_000 });
  },
  isAbout: (call, place) => call.name.startsWith(place),
  read: async (place) => normalState(widget(place), place),
  invariants: {
    'one pod for each widget': ({ place }) => {
      if (podsOf(place).length !== 1) throw new Error(`${podsOf(place).length} pods`);
    },
  },
};

const released: Scenario = {
  ...started,
  name: 'released',
  run: async (place) => {
    await started.run(place);
    const seen = widget(place);
    if (seen) api.put(`${WIDGETS}/${place}`, { ...seen, isDoomed: true });
    await waitUntil('the widget is gone', () => !widget(place), { limitMs: 20_000 });
  },
  invariants: {
    'nothing is left': ({ place }) => {
      if (podsOf(place).length !== 0) throw new Error(podsOf(place).join());
    },
  },
};

const options = { share: 'all', seed: 7, convergeLimitMs: 2_000, quietMs: 100 } as const;

test('an operator that decides from what it sees survives a crash at every write', async () => {
  const said: string[] = [];
  const report = await crashEverywhere(released, {
    ...options,
    proxy,
    operator: await startTinyOperator(),
    say: (line) => said.push(line),
  });
  expect(report.writes).toEqual(['create pods', 'update widgets/status', 'delete pods', 'delete widgets']);
  expect(report.tried).toHaveLength(8);
  expect([report.missed, report.failures]).toEqual([[], []]);
  expect(said[0]).toBe('released: 4 writes, 8 of 8 crashes, seed 7');
  expect(said[1]).toBe('ok released killed before write 1 (create pods)');
});

test('an operator that names children anew is caught at exactly the crashes that double them', async () => {
  const report = await crashEverywhere(
    { ...started, read: async () => 'the name of the pod is not compared' },
    { ...options, proxy, operator: await startTinyOperator('--careless'), say: () => undefined },
  );
  expect(report.failures).toEqual([
    'started killed after write 1 (create pods): "one pod for each widget" does not hold: 2 pods',
    'started killed before write 2 (update widgets/status): "one pod for each widget" does not hold: 2 pods',
  ]);
});

test('a final state that differs from the undisturbed one is a failure that shows where', async () => {
  let runs = 0;
  const report = await crashEverywhere(
    {
      ...started,
      run: async (place) => {
        runs += 1;
        await started.run(place);
      },
      read: async () => ({ runs }),
    },
    {
      ...options,
      share: 'twentieth',
      convergeLimitMs: 300,
      proxy,
      operator: await startTinyOperator(),
      say: () => undefined,
    },
  );
  expect(report.failures).toEqual([expect.stringMatching(/final state: not within 300 ms.*\nruns: 2 instead of 1$/s)]);
});

test('a scenario that fails undisturbed is no basis for comparing', async () => {
  const broken: Scenario = {
    ...started,
    invariants: {
      'two pods': () => {
        throw new Error('one');
      },
    },
  };
  await expect(crashEverywhere(broken, { ...options, proxy, operator: await startTinyOperator() })).rejects.toThrow(
    'started fails undisturbed: "two pods" does not hold: one',
  );
});
