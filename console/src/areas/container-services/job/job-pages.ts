// The forms of a new and a changed job: what the pages of workloads need to know about it.
import { job } from '@gantry/contract/kinds/job.ts';
import { workloadPages } from '../../../parts/workload/workload-pages.tsx';
import { withoutSecretValues } from '../form/env-rows.ts';
import { lacksSecrets, withImage } from '../form/program-values.ts';
import { useProgramForm } from '../form/use-program-form.ts';
import { useDeployWords } from '../use-deploy-words.ts';
import { JobForm } from './job-form.tsx';
import { emptyJob, jobBody, jobChange, jobValuesOf } from './job-values.ts';

export const { CreatePage: JobCreatePage, EditPage: JobEditPage } = workloadPages({
  kind: 'job',
  list: '/deploy/job',
  draft: 'job',
  useTexts() {
    const t = useDeployWords();
    return (key) => t(`job.${key}`);
  },
  rules: job.api.writes,
  firstOf: withImage(emptyJob),
  valuesOf: jobValuesOf,
  bodyOf: jobBody,
  changeOf: jobChange,
  useForm: useProgramForm,
  Form: JobForm,
  keptOf: withoutSecretValues,
  lackOf: lacksSecrets,
});
