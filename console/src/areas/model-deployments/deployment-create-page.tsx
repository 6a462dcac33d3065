// A new deployment on one page. Links may fill in its values: those of another one, or a model.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { useNavigate, useSearchParams } from 'react-router';
import { DeploymentForm } from './deployment-form.tsx';
import { type DeploymentValues, deploymentBody, deploymentValuesOf, EMPTY_DEPLOYMENT } from './deployment-values.ts';
import { useDeploymentForm } from './use-deployment-form.ts';
import { useDeploymentWords } from './use-deployment-words.ts';

export function DeploymentCreatePage() {
  const t = useDeploymentWords();
  const [query] = useSearchParams();
  const from = query.get('from') ?? '';
  const { data, error, refetch } = useCall(CALLS.getDeployment, { params: { id: from } }, { enabled: from !== '' });
  const asked = { model: query.get('model') ?? '', version: query.get('version') ?? '' };
  return (
    <>
      <PageHeader title={t('form.createTitle')} lead={t('form.createLead')} />
      {from === '' ? (
        <NewDeployment first={{ ...EMPTY_DEPLOYMENT, ...asked }} />
      ) : data ? (
        <NewDeployment key={from} first={deploymentValuesOf(data, true)} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={4} height={140} />
      )}
    </>
  );
}

function NewDeployment({ first }: { first: DeploymentValues }) {
  const t = useDeploymentWords();
  const go = useNavigate();
  const { form, error, submit } = useDeploymentForm(first, modelDeployment.api.writes.create, deploymentBody);
  const create = useCommand(CALLS.createDeployment, { isQuiet: true, invalidates: [CALLS.listDeployments] });
  const send = submit(async (values) => {
    const made = await create.mutateAsync({ body: deploymentBody(values) });
    await go(`/model/deployment/${made.id}`);
  });
  return (
    <DeploymentForm
      form={form}
      isNew
      error={error}
      node="createDeployment"
      submitLabel={t('form.submit')}
      isBusy={create.isPending}
      onSubmit={send}
    />
  );
}
