// The forms of a new and a changed task: what the pages of workloads need to know about it.
import { dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { workloadPages } from '../../parts/workload/workload-pages.tsx';
import { LIST } from './paths.ts';
import { ProcessingForm } from './processing-form.tsx';
import { firstProcess, processBody, processChange, processValuesOf } from './processing-values.ts';
import { useProcessingForm } from './use-processing-form.ts';
import { useProcessingWords } from './use-processing-words.ts';

export const { CreatePage: ProcessingCreatePage, EditPage: ProcessingEditPage } = workloadPages({
  kind: 'dataProcess',
  list: LIST,
  draft: 'processing',
  useTexts() {
    const t = useProcessingWords();
    return (key) => t(`form.${key}`);
  },
  rules: dataProcess.api.writes,
  firstOf: firstProcess,
  valuesOf: processValuesOf,
  bodyOf: processBody,
  changeOf: processChange,
  useForm: useProcessingForm,
  Form: ProcessingForm,
  keptOf: (values) => values,
  lackOf: () => undefined,
});
