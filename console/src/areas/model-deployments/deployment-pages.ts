// The forms of a new and a changed deployment: what the pages of workloads need to know about it.
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { workloadPages } from '../../parts/workload/workload-pages.tsx';
import { withoutEnvValues } from '../../parts/workload/workload-values.ts';
import { DeploymentForm } from './deployment-form.tsx';
import { deploymentBody, deploymentChange, deploymentValuesOf, firstDeployment } from './deployment-values.ts';
import { useDeploymentForm } from './use-deployment-form.ts';
import { useDeploymentWords } from './use-deployment-words.ts';

export const { CreatePage: DeploymentCreatePage, EditPage: DeploymentEditPage } = workloadPages({
  kind: 'modelDeployment',
  list: '/model/deployment',
  draft: 'deployment',
  useTexts() {
    const t = useDeploymentWords();
    return (key) => t(`form.${key}`);
  },
  rules: modelDeployment.api.writes,
  firstOf: firstDeployment,
  valuesOf: deploymentValuesOf,
  bodyOf: deploymentBody,
  changeOf: deploymentChange,
  useForm: useDeploymentForm,
  Form: DeploymentForm,
  keptOf: withoutEnvValues,
  lackOf: ({ env }) => (env.length > 0 ? 'env' : undefined),
});
