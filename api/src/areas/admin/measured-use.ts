// How busy the whole cluster is, as Prometheus measured it, for the operators' home.
import type { Clock } from '@gantry/kube/clock.ts';
import { MEASURED_QUERIES } from '../../platform/prometheus/cluster-queries.ts';
import { onlyNumber, type Prometheus } from '../../platform/prometheus/prometheus.ts';

const DEADLINE_MS = 2_000;

/** An unknown value is null; without Prometheus, or while it is away, all of them are unknown. */
export async function measuredUse(metrics: Pick<Prometheus, 'instant'> | undefined, { now }: Pick<Clock, 'now'>) {
  if (!metrics) return null;
  const limits = { mostSeries: 1, deadlineMs: DEADLINE_MS };
  const ask = async (query: string) => onlyNumber(await metrics.instant(query, now(), limits)) ?? null;
  try {
    const { gpu, cpu, memory } = MEASURED_QUERIES;
    const [gpuNow, cpuNow, memoryNow] = await Promise.all([ask(gpu), ask(cpu), ask(memory)]);
    return { gpu: gpuNow, cpu: cpuNow, memory: memoryNow };
  } catch {
    return null;
  }
}
