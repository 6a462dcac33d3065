// How a model or one of its versions is.

import type { ModelState, VersionState } from '@gantry/contract/areas/models/models.ts';
import type { Tone } from '@gantry/contract/define-kind.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { useModelWords } from './use-model-words.ts';

const MODEL_TONES: Readonly<Record<ModelState, Tone>> = {
  ready: 'good',
  arriving: 'progress',
  abnormal: 'bad',
  empty: 'neutral',
};
const VERSION_TONES: Readonly<Record<VersionState, Tone>> = {
  uploading: 'progress',
  importing: 'progress',
  checking: 'progress',
  ready: 'good',
  failed: 'bad',
};

export function ModelChip({ state }: { state: ModelState }) {
  const t = useModelWords();
  return <PhaseChip label={t(`states.${state}`)} tone={MODEL_TONES[state]} />;
}

export function VersionChip({ state }: { state: VersionState }) {
  const t = useModelWords();
  return <PhaseChip label={t(`versionStates.${state}`)} tone={VERSION_TONES[state]} />;
}
