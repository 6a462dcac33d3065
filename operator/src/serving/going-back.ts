// A failed update goes back to the template whose replicas still serve: its own replicas would hold cards for good that nobody pays for.
// Kubernetes ends them once its template is, to the letter, the one before; so that is remembered when it is replaced.
import { ANNOTATION, LABEL } from '@gantry/contract/names.ts';
import type { Deployment, GroupSet } from './reads.ts';

type Workload = Deployment | GroupSet;

export interface Before {
  revision: number;
  /** The part of the workload's spec that has its templates. */
  spec: object;
}

/** Kubernetes takes 256 KiB of annotations. */
const MOST_LETTERS = 131_072;

const templatesOf = ({ spec }: Workload): object =>
  spec && 'leaderWorkerTemplate' in spec
    ? { leaderWorkerTemplate: spec.leaderWorkerTemplate }
    : { template: (spec as Deployment['spec'])?.template };

/** Its annotation as it is replaced. A larger template is not remembered. */
export function remembering(workload: Workload, revision: number): Record<string, string | null> {
  const text = JSON.stringify({ revision, spec: templatesOf(workload) } satisfies Before);
  return { [ANNOTATION.before]: text.length <= MOST_LETTERS ? text : null };
}

export function rememberedIn(workload: Workload | undefined): Before | undefined {
  const text = workload?.metadata.annotations?.[ANNOTATION.before];
  if (text === undefined) return undefined;
  try {
    const { revision, spec } = JSON.parse(text) as Partial<Before>;
    return typeof revision === 'number' && typeof spec === 'object' && spec !== null ? { revision, spec } : undefined;
  } catch {
    return undefined;
  }
}

export const isOfRun = ({ metadata }: Workload, { revision }: Pick<Before, 'revision'>): boolean =>
  metadata.labels?.[LABEL.run] === String(revision);

/** A merge patch that leaves nothing of the templates there are. */
export const goingBack = (workload: Workload, { revision, spec }: Before, rollout: object) => ({
  metadata: { labels: { [LABEL.run]: String(revision) } },
  spec: { ...rollout, ...(patchTo(templatesOf(workload), spec) as object) },
});

function patchTo(from: unknown, to: unknown): unknown {
  if (!isMap(from) || !isMap(to)) return to;
  const gone = Object.keys(from).flatMap((key) => (key in to ? [] : [[key, null]]));
  const kept = Object.entries(to).map(([key, value]) => [key, patchTo(from[key], value)]);
  return Object.fromEntries([...gone, ...kept]);
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
