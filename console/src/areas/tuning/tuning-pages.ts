// The forms of a new and a changed task: what the pages of workloads need to know about it.
import { fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { workloadPages } from '../../parts/workload/workload-pages.tsx';
import { LIST } from './paths.ts';
import { TuningForm } from './tuning-form.tsx';
import { firstTune, tuneBody, tuneChange, tuneValuesOf } from './tuning-values.ts';
import { useTuningForm } from './use-tuning-form.ts';
import { useTuningWords } from './use-tuning-words.ts';

export const { CreatePage: TuningCreatePage, EditPage: TuningEditPage } = workloadPages({
  kind: 'fineTune',
  list: LIST,
  draft: 'tuning',
  useTexts() {
    const t = useTuningWords();
    return (key) => t(`form.${key}`);
  },
  rules: fineTune.api.writes,
  firstOf: firstTune,
  valuesOf: tuneValuesOf,
  bodyOf: tuneBody,
  changeOf: tuneChange,
  useForm: useTuningForm,
  Form: TuningForm,
  keptOf: (values) => values,
  lackOf: () => undefined,
});
