// GPUs from the text of the exporter's stand-in, by a real Prometheus: one that is divided into MIG instances, as the heat map shows it,
// and that it has failed.
import type { CardFault } from '@gantry/contract/gpu-conditions.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { queryOf, XidWatch } from '../../api/src/areas/gpu-faults/xid-watch.ts';
import { Monitor } from '../../api/src/areas/monitoring/monitor.ts';
import { Prometheus } from '../../api/src/platform/prometheus/prometheus.ts';
import { cardsOf } from '../../hack/metrics/gpu-cards.ts';
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

const FAILED = cardsOf(NODES, new Map())[0]?.uuid ?? '';

let server: PrometheusServer;
let prometheus: Prometheus;
const clock = new SteppedClock();
let monitor: Monitor;
beforeAll(async () => {
  const text = await new GpuExposition().text(NODES, { [FAILED]: { xid: 79 } }, AT);
  const owners = ['dev-1', 'dev-2'].map(
    (pod) => `gantry_pod_owner{namespace="${NAMESPACE}",pod="${pod}",kind="GpuInstance",object="${pod.slice(0, 3)}"} 1`,
  );
  const samples = [...text.split('\n'), ...owners]
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => `${line} ${AT / 1_000}`);
  server = await startPrometheusServer({ samples: [...samples, '# EOF', ''].join('\n') });
  clock.set(AT);
  prometheus = new Prometheus({ url: server.url });
  monitor = new Monitor({ clock, prometheus });
}, 120_000);
afterAll(() => server.end());

test('each instance is a cell with its container and its own usage', async () => {
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

test('a fatal XID names the card, and who has a part of it', async () => {
  const { signal } = new AbortController();
  const sizes: number[] = [];
  const marks = new Map<string, readonly CardFault[]>();
  const watch = new XidWatch({
    clock,
    log: { warn: (facts) => expect(facts).toBeUndefined() },
    async ask(query, at) {
      const answer = await prometheus.instant(query, at, { signal });
      sizes.push(answer.series.length);
      return answer;
    },
    nodes: () => NODES.map(({ name }) => ({ metadata: { name } }) as unknown as Node),
    podsOn: () => new Set(['org-a/dev-1', 'org-a/dev-2', 'org-b/theirs-1']),
    mark: async ({ metadata }, faults) => void marks.set(metadata.name, faults),
  });
  await watch.step(signal);
  const holders = ['org-a/dev-1'];
  const fault = { uuid: FAILED, gpu: '0', xids: [79], since: '2026-01-01T00:10:00Z', boot: '', holders };
  expect([...marks]).toEqual([['a100-0', [fault]]]);
  // A node of four instances; of one that is marked, its sound card, too.
  expect(sizes).toEqual([4]);
  expect((await prometheus.instant(queryOf(['t4-0']), AT)).series).toHaveLength(5);
});
