// How a dataset or one of its versions is.
import type { DatasetState, DatasetVersionView } from '@gantry/contract/areas/datasets/datasets.ts';
import type { Tone } from '@gantry/contract/define-kind.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { useDatasetWords } from './use-dataset-words.ts';

const TONES: Readonly<Record<DatasetState, Tone>> = {
  ready: 'good',
  processing: 'progress',
  failed: 'bad',
  empty: 'neutral',
};

export function DatasetChip({ state }: { state: DatasetState }) {
  const t = useDatasetWords();
  return <PhaseChip label={t(`states.${state}`)} tone={TONES[state]} />;
}

export function VersionChip({ version: { state, step } }: { version: Pick<DatasetVersionView, 'state' | 'step'> }) {
  const t = useDatasetWords();
  return <PhaseChip label={step === null ? t(`states.${state}`) : t(`steps.${step}`)} tone={TONES[state]} />;
}
