// The form of a task: what is trained on what, how, and into which model; beside it whether that fits, how long it takes and what it
// costs, below it what it is trained on in tokens.
import { useFormContext } from 'react-hook-form';
import { RunFields } from '../../parts/task/run-fields.tsx';
import { CostPanel } from '../../parts/workload/cost-panel.tsx';
import { type Beside, type WorkloadFormProps, WorkloadFrame } from '../../parts/workload/form-frame.tsx';
import { FormFolds } from '../../parts/workload/form-section.tsx';
import { PlaceFields } from '../../parts/workload/place-fields.tsx';
import { SizeFields } from '../../parts/workload/size-fields.tsx';
import { useWatched } from '../../parts/workload/use-watched.ts';
import { FitPanel } from './fit-panel.tsx';
import { MethodFields, ObjectiveFields, WorkerField } from './method-fields.tsx';
import { OutputFields } from './output-fields.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { BaseFields, DatasetFields, EvalFields } from './source-fields.tsx';
import { PLAIN, type TuneValues, tuneSize } from './tuning-values.ts';
import { useTuningWords } from './use-tuning-words.ts';

const SIZED = ['gpu', 'workers', 'cores', 'memoryGi', 'host'] as const;

export function TuningForm(props: WorkloadFormProps<TuneValues>) {
  const t = useTuningWords();
  return (
    <WorkloadFrame {...props} nameHint={t('form.nameHint')} Beside={Estimates}>
      <BaseFields />
      <DatasetFields />
      <ObjectiveFields />
      <PlaceFields plain={PLAIN}>
        <WorkerField />
      </PlaceFields>
      <SizeFields />
      <OutputFields />
      <FormFolds>
        <MethodFields />
        <EvalFields />
        <RunFields />
      </FormFolds>
      <PreviewPanel />
    </WorkloadFrame>
  );
}

/** Workers cost the same whatever they do; the API estimates whole specs. */
const ANY_WORK = {
  base: { model: 'mdl-any', version: '1' },
  datasets: [{ dataset: 'dst-any' }],
  output: { name: 'any' },
};

function Estimates({ isNew, onRecharge }: Beside) {
  const { control } = useFormContext<TuneValues>();
  const size = tuneSize(useWatched(control, SIZED));
  return (
    <>
      <FitPanel />
      <CostPanel kind="FineTune" spec={size && { ...ANY_WORK, ...size }} isNew={isNew} onRecharge={onRecharge} />
    </>
  );
}
