// Whether an object that a policy watches is there, runs, and ought to have a value. Pure.
import { ALERT_METRICS } from '@gantry/contract/alerts/metrics.ts';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import type { AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';
import { watches } from './group.ts';
import type { Life } from './outcome.ts';

export type LivingObject = KubeObject & {
  spec?: { power?: string; gpu?: unknown };
  status?: { phase?: string; history?: readonly { since: string }[]; mountedBy?: readonly unknown[] };
};

/** Phases of what ended, or waits for its time, however they are shown. */
const AT_REST: readonly string[] = ['succeeded', 'failed', 'scheduled'];
/** From its first second on to the first value: two scrapes of a rate, and their way. */
const FIRST_VALUE_MS = 3 * 60_000;

export function lifeOf(
  spec: Pick<AlertPolicySpec, 'objects' | 'metric'>,
  { kind, phases }: Pick<KindFacts, 'kind' | 'phases'>,
  object: LivingObject | undefined,
  now: number,
): Life {
  if (!object || object.metadata.deletionTimestamp) return 'gone';
  const { name, labels } = object.metadata;
  if (!watches(spec, { kind, name, labels })) return 'gone';
  const { power = 'Running', gpu } = object.spec ?? {};
  const { phase = '', history = [], mountedBy = [] } = object.status ?? {};
  // The metric `Failed` is about the failure itself, and a disk is measured where it is mounted.
  if (spec.metric === 'Failed') return 'running';
  if (spec.metric === 'DiskUsed') return mountedBy.length > 0 ? 'running' : 'bare';
  const tone = Object.hasOwn(phases, phase) ? phases[phase]?.tone : undefined;
  if (power !== 'Running' || tone === 'neutral' || AT_REST.includes(phase)) return 'gone';
  if (gpu === undefined && spec.metric !== undefined && GPU_METRICS.includes(spec.metric)) return 'bare';
  const since = instantOf(history[0]?.since);
  const isNew = since !== undefined && now - since < FIRST_VALUE_MS;
  return tone === 'progress' || tone === undefined || isNew ? 'starting' : 'running';
}

const GPU_METRICS = Object.keys(ALERT_METRICS).filter((name) => name.startsWith('Gpu'));
