// An object as it states its own facts, whoever wrote it: one that no schema has checked, of an older version or by hand, breaks no page.
import type { CommonStatus, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { instantOf } from '@gantry/contract/fields/date-time.ts';

export type SeenObject = KubeObject & {
  spec?: Record<string, unknown>;
  status?: CommonStatus & Record<string, unknown>;
};

/** '' where it cannot be told. */
export function phaseSeen(facts: KindFacts, object: SeenObject): string {
  try {
    return facts.phaseInView({ ...object, spec: object.spec ?? {} } as never);
  } catch {
    return '';
  }
}

export interface SeenState {
  phase: string;
  /** Undefined where it is no moment. */
  since: number | undefined;
}

/** Newest first. */
export function statesSeen({ status }: Pick<SeenObject, 'status'>): SeenState[] {
  const history: unknown = status?.history;
  if (!Array.isArray(history)) return [];
  return history.map((state: { phase?: unknown; since?: unknown } | null) => ({
    phase: `${state?.phase}`,
    since: instantOf(state?.since),
  }));
}
