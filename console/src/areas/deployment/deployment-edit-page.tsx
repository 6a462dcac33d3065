// Editing a deployment: another model, version or size starts new replicas, one after another.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { type ModelDeploymentView, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { isConflict, LoadAgain } from '../../parts/load-again.tsx';
import { DeploymentForm } from './deployment-form.tsx';
import { deploymentChange, deploymentValuesOf } from './deployment-values.ts';
import { useDeploymentForm } from './use-deployment-form.ts';
import { useDeploymentWords } from './use-deployment-words.ts';

export function DeploymentEditPage() {
  const t = useDeploymentWords();
  const { id = '' } = useParams();
  const { data, error, refetch } = useCall(CALLS.getDeployment, { params: { id } });
  // A form starts again with the current values.
  const [round, setRound] = useState(0);
  if (!data) {
    return (
      <>
        <PageHeader title={t('form.editTitle', { name: id })} />
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={4} height={140} />}
      </>
    );
  }
  const reload = async () => {
    await refetch();
    setRound((round) => round + 1);
  };
  return <EditDeployment key={round} deployment={data} onReload={reload} />;
}

interface EditProps {
  deployment: ModelDeploymentView;
  onReload: () => Promise<void>;
}

function EditDeployment({ deployment: shown, onReload }: EditProps) {
  const t = useDeploymentWords();
  const ui = useUiWords();
  const toast = useToast();
  const go = useNavigate();
  // Changes are relative to the values at the beginning, whatever the stream brings meanwhile.
  const [{ before, generation }] = useState(() => ({
    before: deploymentValuesOf(shown),
    generation: shown.generation,
  }));
  const { form, error, submit } = useDeploymentForm(before, modelDeployment.api.writes.change, (values) =>
    deploymentChange(before, values),
  );
  const update = useCommand(CALLS.updateDeployment, {
    isQuiet: true,
    success: false,
    invalidates: [CALLS.listDeployments, CALLS.getDeployment],
  });
  const page = `/model/deployment/${shown.id}`;
  const canEdit = shown.actions.some(({ action }) => action === 'edit');
  const save = submit(async (values) => {
    const body = deploymentChange(before, values);
    if (Object.keys(body).length === 0) toast.info(t('form.nothingChanged'));
    else {
      await update.mutateAsync({ params: { id: shown.id }, query: { generation }, body });
      toast.success(t('form.saved'));
      await go(page);
    }
  });
  return (
    <>
      <PageHeader title={t('form.editTitle', { name: shown.name })} lead={t('form.editLead')}>
        <Button component={Link} to={page}>
          {ui('actions.cancel')}
        </Button>
      </PageHeader>
      {!canEdit && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {t('form.cannotEdit', { phase: shown.phase_label })}
        </Alert>
      )}
      <DeploymentForm
        form={form}
        isNew={false}
        error={error}
        help={isConflict(update.error) && <LoadAgain onLoad={onReload} />}
        node="modelDeployment.edit"
        submitLabel={t('form.save')}
        isBusy={update.isPending}
        canSubmit={canEdit}
        onSubmit={save}
      />
    </>
  );
}
