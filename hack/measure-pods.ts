// The command line behind charts/gantry/SIZING.md: what the platform's Pods use on the cluster NAME, over a while.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { mustCallApi } from './api-call.ts';
import { type Sample, samplesOf, usageOf } from './helm/pod-usage.ts';
import { layout } from './layout.ts';

const EVERY_MS = 10_000;
const { values } = parseArgs({
  options: {
    name: { type: 'string', default: 'gantry' },
    nodes: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
  },
});

const cluster = layout(values.name, Number(values.nodes));
const samples: Sample[] = [];
for (const until = Date.now() + Number(values.seconds) * 1000; Date.now() < until; await sleep(EVERY_MS)) {
  for (const { name } of cluster.nodes) {
    const { body } = await mustCallApi(cluster, { path: `/api/v1/nodes/${name}/proxy/stats/summary` });
    samples.push(...samplesOf(JSON.parse(body), PLATFORM_NAMESPACE));
  }
}
console.log('| Container | Pods | CPU, mean of the busiest | Memory, most |\n|---|---|---|---|');
for (const { container, pods, cpuMillicores, memoryMi } of usageOf(samples))
  console.log(`| ${container} | ${pods} | ${cpuMillicores}m | ${memoryMi}Mi |`);
