// The forms of a new and a changed service: what the pages of workloads need to know about it.
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { workloadPages } from '../../../parts/workload/workload-pages.tsx';
import { withoutSecretValues } from '../form/env-rows.ts';
import { lacksSecrets, withImage } from '../form/program-values.ts';
import { useProgramForm } from '../form/use-program-form.ts';
import { useDeployWords } from '../use-deploy-words.ts';
import { ServiceForm } from './service-form.tsx';
import { EMPTY_SERVICE, serviceBody, serviceChange, serviceValuesOf } from './service-values.ts';

export const { CreatePage: ServiceCreatePage, EditPage: ServiceEditPage } = workloadPages({
  kind: 'containerService',
  list: '/deploy/service',
  draft: 'service',
  useTexts() {
    const t = useDeployWords();
    return (key) => t(`service.${key}`);
  },
  rules: containerService.api.writes,
  firstOf: withImage(() => EMPTY_SERVICE),
  valuesOf: serviceValuesOf,
  bodyOf: serviceBody,
  changeOf: serviceChange,
  useForm: useProgramForm,
  Form: ServiceForm,
  keptOf: withoutSecretValues,
  lackOf: lacksSecrets,
});
