import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { API_VERSION, GROUP, type KindFacts, VERSION } from '@gantry/contract/define-kind.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import { NoAnswer } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { MemoryCluster } from '@gantry/kube/testing/memory-cluster.ts';
import { SteppedClock, turns } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, jest, test } from '@jest/globals';
import pino from 'pino';
import { parse } from 'yaml';
import { defineController } from './define-controller.ts';
import { GantryOperator, type GantryOperatorParts, type ObjectEvent } from './gantry-operator.ts';
import { createMetrics } from './runtime/metrics.ts';
import { FIELD_MANAGER } from './runtime/status-patch.ts';

const IMAGE: Resource = { group: GROUP, version: VERSION, plural: 'images', kind: 'Image', namespaced: true };
const POD: Resource = { ...IMAGE, group: '', version: 'v1', plural: 'pods', kind: 'Pod', labelSelector: 'mine' };
const exit = jest.spyOn(process, 'exit').mockImplementation((code) => {
  throw new Error(`process.exit(${code})`);
});

/** Files are read in their own time, whatever a stepped clock says. */
async function isIn(calls: readonly string[], what: string): Promise<void> {
  while (!calls.includes(what)) await setImmediate();
}

/** With one kind, which reads Pods. `told` collects events in order. */
function setUp(parts: Partial<GantryOperatorParts> & { raw?: () => Promise<object> } = {}) {
  const calls: string[] = [];
  const events: ObjectEvent[] = [];
  const cluster = new MemoryCluster([IMAGE, POD], { fieldManager: FIELD_MANAGER });
  const clock = new SteppedClock();
  const telling =
    <Args extends unknown[], Answer>(what: string, call: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      calls.push(what);
      return call(...args);
    };
  const applied: unknown[] = [];
  const client = {
    raw: telling('check', parts.raw ?? (() => cluster.raw(''))),
    apply: (...[resource, object]: Parameters<MemoryCluster['apply']>) => {
      calls.push(`apply ${object.metadata.name}`);
      applied.push(object);
      return cluster.apply(resource, object);
    },
    get: cluster.get.bind(cluster),
    list: telling('list', cluster.list.bind(cluster)),
    watch: cluster.watch.bind(cluster),
  };
  class Watched extends GantryOperator {
    protected override watchResource(...[group, version, plural, onEvent, ...rest]: Parameters<Watch>): Promise<void> {
      calls.push(`watch ${plural}`);
      const both = (event: ObjectEvent) => {
        events.push(event);
        return onEvent(event);
      };
      return super.watchResource(group, version, plural, both, ...rest);
    }
    watch(plural: string, onEvent: (event: ObjectEvent) => Promise<void>): Promise<void> {
      return super.watchResource(GROUP, VERSION, plural, onEvent);
    }
  }
  const operator = new Watched({
    controllers: [
      defineController({
        facts: { kind: 'Image', plural: 'images', scope: 'Namespaced' } as KindFacts,
        reads: { pods: { of: POD, find: () => undefined, wakes: () => [{ namespace: 'a', name: 'owner' }] } },
        plan: ({ metadata }) => {
          calls.push(`plan ${metadata.name}`);
          return {};
        },
      }),
    ],
    settings: {},
    client: client as unknown as KubeClient,
    clock,
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    workers: 1,
    resyncMs: 600_000,
    initialised: async () => void calls.push('initialised'),
    ...parts,
  });
  return { operator, cluster, clock, calls, events, applied };
}
type Watch = (
  group: string,
  version: string,
  plural: string,
  onEvent: (event: ObjectEvent) => Promise<void>,
  namespace?: string,
  labelSelector?: string,
  of?: Resource,
) => Promise<void>;

const image = (name: string, labels = {}) => ({
  apiVersion: API_VERSION,
  kind: 'Image',
  metadata: { namespace: 'a', name, labels },
});

test('a start applies the CRDs, checks the cluster, watches, and only then lists and works', async () => {
  const { operator, cluster, clock, calls, applied } = setUp({ crds: 'crds' });
  cluster.put(image('one'));
  const started = operator.start();
  await clock.step(0);
  await started;
  await clock.step(0);
  const lists = ['list', 'list'];
  expect(calls).toEqual([
    ...['apply images.gantry.dev', 'check', 'check', 'watch images', 'watch pods', 'initialised', ...lists],
    'plan one',
  ]);
  expect(applied).toEqual([parse(await readFile('crds/images.yaml', 'utf8'))]);
  await operator.stop();
  expect(exit).not.toHaveBeenCalled();
});

test('a CRD that a newer version wrote stays as it is', async () => {
  const { operator, cluster, applied } = setUp({ crds: 'crds' });
  const { apiVersion, kind, metadata } = parse(await readFile('crds/images.yaml', 'utf8'));
  cluster.put({ apiVersion, kind, metadata: { ...metadata, annotations: { [ANNOTATION.version]: '1000.0.0' } } });
  await operator.start();
  expect(applied).toEqual([]);
  await operator.stop();
});

test('without crds nothing is applied', async () => {
  const { operator, calls } = setUp();
  await operator.start();
  expect(calls.filter((one) => one.startsWith('apply'))).toEqual([]);
  await operator.stop();
});

test('each change comes as an event of the library, and wakes whom it concerns', async () => {
  const { operator, cluster, clock, calls, events } = setUp();
  cluster.put(image('owner'));
  await operator.start();
  await clock.step(0);
  calls.length = 0;
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'a', name: 'pod', labels: { mine: '' } } };
  const { metadata } = cluster.put(pod);
  await clock.step(0);
  cluster.put({ ...pod, metadata: { ...pod.metadata, labels: { mine: '', other: '' } } });
  await clock.step(0);
  cluster.put({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
  await clock.step(0);
  expect(events.map(({ type, object }) => [type, object.metadata?.labels])).toEqual([
    ['ADDED', { mine: '' }],
    ['MODIFIED', { mine: '', other: '' }],
    ['DELETED', { mine: '', other: '' }],
  ]);
  const { resourceVersion } = metadata;
  expect(events[0]?.meta).toEqual({
    ...{ id: 'pods.v1', apiVersion: 'v1', kind: 'Pod', namespace: 'a', name: 'pod', resourceVersion },
  });
  expect(calls).toEqual(Array(3).fill('plan owner'));
  await operator.stop();
});

test('a read is woken by its own informer, where another keeps less of the same resource', async () => {
  const bare: Resource = { ...POD, keep: (pod) => ({ ...pod, metadata: { ...pod.metadata, labels: {} } }) };
  const planned: string[] = [];
  const { operator, cluster, clock } = setUp({
    controllers: [
      defineController({
        facts: { kind: 'Image', plural: 'images', scope: 'Namespaced' } as KindFacts,
        reads: {
          bare: { of: bare, find: () => undefined, wakes: () => [] },
          pods: {
            of: POD,
            find: () => undefined,
            wakes: ({ after }) => [{ namespace: 'a', name: after?.metadata.labels?.owner ?? 'nobody' }],
          },
        },
        plan: ({ metadata }) => {
          planned.push(metadata.name);
          return {};
        },
      }),
    ],
  });
  cluster.put(image('owner'));
  await operator.start();
  await clock.step(0);
  planned.length = 0;
  cluster.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'a', name: 'pod', labels: { mine: '', owner: 'owner' } },
  });
  await clock.step(0);
  expect(planned).toEqual(['owner']);
  await operator.stop();
});

test('an event that nobody can handle stops neither the next one nor the process', async () => {
  const { operator, cluster } = setUp();
  const names: unknown[] = [];
  await operator.watch('images', async ({ object }) => {
    names.push(object.metadata?.name);
    throw new Error('not understood');
  });
  await operator.start();
  for (const name of ['one', 'two']) cluster.put(image(name));
  await turns();
  expect(names).toEqual(['one', 'two']);
  await operator.stop();
});

test('a resource that no informer follows cannot be watched', async () => {
  await expect(setUp().operator.watch('pods', async () => {})).rejects.toThrow('no informer follows pods as asked');
});

test('an API server that is not there yet is waited for, and so are kinds that it was just given', async () => {
  const answers = [new NoAnswer('connect ECONNREFUSED'), { resources: [] }, { resources: [] }];
  const raw = async () => {
    const answer = answers.shift() ?? { resources: [{ name: 'images' }] };
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const { operator, clock, calls } = setUp({ crds: 'crds', raw });
  const started = operator.start();
  await isIn(calls, 'check');
  await clock.step(400);
  expect(calls).not.toContain('initialised');
  await clock.step(1_000);
  await started;
  expect(calls).toContain('initialised');
  expect(calls.filter((one) => one.startsWith('apply'))).toHaveLength(1);
  await operator.stop();
});

test.each([
  ['at once where nobody installed them', {}, 0],
  ['half a minute after they were installed', { crds: 'crds' }, 30_000],
])('a start fails for kinds that the cluster does not serve, %s', async (_when, parts, failsAtMs) => {
  const { operator, clock, calls } = setUp({ ...parts, raw: async () => ({ resources: [] }) });
  let failed: unknown;
  operator.start().catch((error: Error) => {
    failed = { message: error.message, atMs: clock.monotonic() };
  });
  await isIn(calls, 'check');
  await clock.step(60_000);
  expect(failed).toEqual({ message: expect.stringContaining('the cluster does not know Image'), atMs: failsAtMs });
});

test('a stop ends a start that still waits for the API server, may be asked for again, and never ends the process', async () => {
  const raw = async () => {
    throw new NoAnswer('connect ECONNREFUSED');
  };
  const { operator, clock, calls } = setUp({ raw });
  const started = operator.start();
  await clock.step(2_000);
  await operator.stop();
  await started;
  await operator.stop();
  expect(calls).not.toContain('initialised');
  expect(clock.waitingMs).toEqual([]);
  expect(exit).not.toHaveBeenCalled();
});
