// A disk's state. A disk reserved for an instance's next start is not mounted yet; a disk of which nothing is known yet has no
// fault.
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { useStorageWords } from './use-storage-words.ts';

type Shown = Pick<DiskView, 'phase' | 'phase_label' | 'tone' | 'message' | 'mounted_by'>;

export function DiskChip({ disk: { phase, phase_label: label, tone, message, mounted_by: by } }: { disk: Shown }) {
  const t = useStorageWords();
  const waits = phase === 'mounted' && by.every(({ at_next_start }) => at_next_start);
  const isNew = phase === 'inactive' && message === null;
  const shown = waits
    ? ({ label: t('list.reserved'), tone: 'neutral' } as const)
    : isNew
      ? ({ label: t('list.making'), tone: 'progress' } as const)
      : { label, tone };
  return <PhaseChip {...shown} message={message} />;
}
