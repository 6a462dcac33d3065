// Usage of objects in two clusters: each cluster's kubelets are asked through its own API server.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { ObjectUsageView } from '@gantry/contract/kind-api.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Call } from '../../../platform/http/serve.ts';
import { kindObject, type MemoryKinds, memoryKinds } from '../testing/memory-kinds.ts';
import { STEP_MS } from './hour.ts';
import { type OpenObjectUsage, openObjectUsage } from './open.ts';

const running = (name: string, namespace = 'org-acme') =>
  kindObject(gpuInstance, name, { namespace, status: { phase: 'running', run: { seq: 1, cause: 'first' } } });
const pod = (instance: string, node: string, namespace = 'org-acme'): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...{ name: `${instance}-1`, namespace, uid: `pod of ${instance}` },
      labels: { [LABEL.organization]: namespace.slice('org-'.length) },
    },
    spec: { nodeName: node, containers: [{ name: 'main', resources: { limits: { cpu: '2' } } }] },
    status: { phase: 'Running' },
  }) as KubeObject;

let clock: SteppedClock;
let here: MemoryKinds;
let there: MemoryKinds;
let usage: OpenObjectUsage;
/** Paths, by cluster. */
let asked: { here: string[]; there: string[] };

beforeEach(async () => {
  clock = new SteppedClock();
  asked = { here: [], there: [] };
  here = await memoryKinds([running('near'), pod('near', 'node-a')]);
  there = await memoryKinds([
    ...[running('far'), pod('far', 'node-b')],
    ...[running('theirs', 'org-other'), pod('theirs', 'node-c', 'org-other')],
  ]);
  const client = (cluster: 'here' | 'there', instance: string, cores: number) => ({
    as: (user: string) => ({
      async rawBytes(path: string) {
        asked[cluster].push(`${user} ${path}`);
        const used = { podRef: { uid: `pod of ${instance}` }, cpu: { usageNanoCores: cores * 1e9 } };
        return Buffer.from(JSON.stringify({ pods: [used] }));
      },
    }),
  });
  usage = openObjectUsage({
    ...{ cache: here.cache, client: client('here', 'near', 0.5) },
    places: [{ cache: there.cache, client: client('there', 'far', 1.5), isOurs: (name) => name === 'org-acme' }],
    clusterOf: (_, namespace, name) => (namespace === 'org-acme' && name === 'far' ? there : here),
    clock,
    log: { warn: () => {}, info: () => {} },
  });
  await clock.step(STEP_MS);
  usage.start();
  await clock.step(0);
});
afterEach(() => {
  usage.stop();
  here.stop();
  there.stop();
});

const cpuOf = async (id: string, namespace = 'org-acme') => {
  const route = usage.routes.find((one) => one.route.id === 'getInstanceFigures');
  const call = { caller: { organization: { namespace } }, params: { id }, query: {} } as unknown as Call;
  const view = (await route?.handler(call)) as ObjectUsageView;
  return view.series.find(({ name }) => name === 'cpu')?.now;
};

test('an instance has what the kubelet of its own cluster says', async () => {
  expect([await cpuOf('near'), await cpuOf('far')]).toEqual([0.5, 1.5]);
  expect(asked).toEqual({
    here: [expect.stringMatching('^system:serviceaccount:gantry-system:gantry-figures .*/nodes/node-a/proxy/')],
    there: [expect.stringMatching('^system:serviceaccount:gantry-system:gantry-figures .*/nodes/node-b/proxy/')],
  });
});

test('of an organisation there that is not ours no node is asked, and nothing is shown', async () => {
  await expect(cpuOf('theirs', 'org-other')).rejects.toMatchObject({ problem: 'not_found' });
  await expect(cpuOf('far', 'org-other')).rejects.toMatchObject({ problem: 'not_found' });
});
