// Which instances the home page shows: those that need attention first, then running ones, then those in transition; resting ones
// are left out.
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';

const RANK: Readonly<Record<InstanceView['tone'], number>> = { bad: 0, warning: 1, good: 2, progress: 3, neutral: 4 };

export const inOrderOfInterest = <Row extends Pick<InstanceView, 'tone'>>(instances: readonly Row[]): readonly Row[] =>
  instances.filter(({ tone }) => tone !== 'neutral').toSorted((a, b) => RANK[a.tone] - RANK[b.tone]);

/** How many are in each phase, those of interest first, by the label that their chips have: two states may share a phase. */
export function countsByPhase<Row extends Pick<InstanceView, 'phase' | 'phase_label' | 'tone'>>(
  instances: readonly Row[],
): readonly { phase: string; label: string; tone: Row['tone']; count: number }[] {
  const counts = new Map<string, { phase: string; label: string; tone: Row['tone']; count: number }>();
  for (const { phase, phase_label: label, tone } of instances) {
    counts.set(label, { phase, label, tone, count: (counts.get(label)?.count ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((a, b) => RANK[a.tone] - RANK[b.tone]);
}
