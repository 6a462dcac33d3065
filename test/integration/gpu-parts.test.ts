// A GPU that is divided into MIG instances, as the heat map shows it: from the text of the exporter's stand-in, by a real Prometheus.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Monitor } from '../../api/src/monitor/monitor.ts';
import { Prometheus } from '../../api/src/monitor/prometheus.ts';
import { GpuExposition } from '../../hack/metrics/gpu-exposition.ts';
import { type PrometheusServer, startPrometheusServer } from '../support/prometheus-server.ts';

const NAMESPACE = 'org-a';
const AT = Date.parse('2026-01-01T00:10:00Z');
const holder = (pod: string, container: string, namespace = NAMESPACE) => ({ namespace, pod, container, gpus: 1 });
const NODES = [
  {
    ...{ name: 'a100-0', product: 'NVIDIA-A100-SXM4-40GB-MIG-3g.20gb', memoryMi: 20_096, count: 4 },
    holders: [holder('dev-1', 'main'), holder('dev-1', 'side'), holder('theirs-1', 'main', 'org-b')],
  },
  { name: 't4-0', product: 'Tesla-T4', memoryMi: 15_360, count: 1, holders: [holder('dev-2', 'main')] },
];

let server: PrometheusServer;
let monitor: Monitor;
beforeAll(async () => {
  const text = await new GpuExposition().text(NODES, {}, AT);
  const owners = ['dev-1', 'dev-2'].map(
    (pod) => `gantry_pod_owner{namespace="${NAMESPACE}",pod="${pod}",kind="GpuInstance",object="${pod.slice(0, 3)}"} 1`,
  );
  const samples = [...text.split('\n'), ...owners]
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => `${line} ${AT / 1_000}`);
  server = await startPrometheusServer({ samples: [...samples, '# EOF', ''].join('\n') });
  const clock = new SteppedClock();
  clock.set(AT);
  monitor = new Monitor({ clock, prometheus: new Prometheus({ url: server.url }) });
}, 120_000);
afterAll(() => server.end());

test('each instance is a cell with its container and its own figures', async () => {
  const { cards, objects } = await monitor.home(NAMESPACE);
  const [one, two, whole] = [...cards].sort((a, b) => `${a.pod}${a.mig}`.localeCompare(`${b.pod}${b.mig}`));
  expect([one, two, whole].map((card) => [card?.model, card?.gpu, card?.mig, card?.pod, card?.container])).toEqual([
    ['NVIDIA A100 SXM4 40GB MIG 3g.20gb', '0', '1', 'dev-1', 'main'],
    ['NVIDIA A100 SXM4 40GB MIG 3g.20gb', '0', '2', 'dev-1', 'side'],
    ['Tesla T4', '0', null, 'dev-2', 'main'],
  ]);
  expect(cards).toHaveLength(3);
  expect(one?.uuid).toBe(two?.uuid);
  expect(one?.utilization).toBeGreaterThan(50);
  expect(one?.utilization).not.toBe(two?.utilization);
  expect(objects).toMatchObject([{ object: 'dev', cards: 3 }]);
});

test('an object’s utilisation is the mean of what it holds, instances among them', async () => {
  const { cards, objects } = await monitor.home(NAMESPACE);
  const mean = cards.reduce((sum, { utilization }) => sum + (utilization ?? Number.NaN), 0) / cards.length;
  expect(objects[0]?.gpu).toBeCloseTo(mean, 6);
});
