// Values that the platform knows without Prometheus: the hours that credit lasts, how full a disk is, and what has failed.
import { ALERT_METRICS, type AlertMetricName } from '@gantry/contract/alerts/metrics.ts';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { Core } from '../../core/open.ts';
import type { Sample } from './group.ts';
import { KIND_OF } from './watched-objects.ts';

export interface MoneyAndObjects {
  cluster: { cache: Pick<Cluster['cache'], 'list'> };
  billing: Pick<Core['billing'], 'burnOf'> & { wallets: { balances(id: string): Promise<{ available: bigint }> } };
}

/** Values that the platform knows without Prometheus. */
export async function platformSamples(
  core: MoneyAndObjects,
  metric: AlertMetricName,
  namespaces: readonly string[],
): Promise<Sample[]> {
  return metric === 'CreditHours'
    ? (await Promise.all(namespaces.map((namespace) => creditHours(core, namespace)))).flat()
    : namespaces.flatMap((namespace) => objectSamples(core.cluster.cache, metric, namespace));
}

/** Samples of the kinds that have the metric. An alert policy has none: it is red while it alerts, and would keep its own alarm up. */
export function objectSamples(
  cache: Pick<Cluster['cache'], 'list'>,
  metric: AlertMetricName,
  namespace: string,
): Sample[] {
  const isDisk = metric === 'DiskUsed';
  const kinds = ALERT_METRICS[metric].kinds.flatMap((kind) => KIND_OF.get(kind) ?? []);
  return kinds.flatMap((facts) =>
    cache.list(facts, namespace).flatMap((object): Sample[] => {
      const value = isDisk ? usedPercent(object as DataDisk) : failedOf(facts, object);
      const { name, labels } = object.metadata;
      return value === undefined ? [] : [{ labels: { namespace }, object: { kind: facts.kind, name, labels }, value }];
    }),
  );
}

/** How long credit lasts at the current cost. Nothing if there is no cost. */
async function creditHours(
  { billing: { burnOf, wallets } }: Pick<MoneyAndObjects, 'billing'>,
  namespace: string,
): Promise<Sample[]> {
  const organizationId = organizationOf(namespace) ?? '';
  const perHour = burnOf(organizationId);
  if (perHour <= 0n) return [];
  const { available } = await wallets.balances(organizationId);
  const object = { kind: 'Organization', name: organizationId };
  return [{ labels: { namespace }, object, value: Math.max(0, Number(available) / Number(perHour)) }];
}

function usedPercent({ status }: DataDisk): number | undefined {
  const { usedBytes, totalBytes } = status?.usage ?? {};
  return usedBytes === undefined || !totalBytes ? undefined : (100 * usedBytes) / totalBytes;
}

/** Whatever its kind shows in red has failed. */
function failedOf({ phases }: Pick<KindFacts, 'phases'>, object: KubeObject): 0 | 1 {
  const { phase = '' } = (object as KubeObject & { status?: { phase?: string } }).status ?? {};
  return Object.hasOwn(phases, phase) && phases[phase]?.tone === 'bad' ? 1 : 0;
}
