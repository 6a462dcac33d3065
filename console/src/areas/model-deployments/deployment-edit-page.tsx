// Editing a deployment: another model, version or size starts new replicas, one after another.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { type ModelDeploymentView, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Edited, EditFrame } from '../../parts/edit-frame.tsx';
import { isConflict, LoadAgain } from '../../parts/load-again.tsx';
import { DeploymentForm } from './deployment-form.tsx';
import { deploymentChange, deploymentValuesOf } from './deployment-values.ts';
import { useDeploymentForm } from './use-deployment-form.ts';
import { useDeploymentWords } from './use-deployment-words.ts';

export function DeploymentEditPage() {
  const t = useDeploymentWords();
  const { id = '' } = useParams();
  const found = useCall(CALLS.getDeployment, { params: { id } });
  return (
    <Edited found={found} title={t('form.editTitle', { name: id })}>
      {(deployment, reload) => <EditDeployment deployment={deployment} onReload={reload} />}
    </Edited>
  );
}

interface EditProps {
  deployment: ModelDeploymentView;
  onReload: () => Promise<void>;
}

function EditDeployment({ deployment: shown, onReload }: EditProps) {
  const t = useDeploymentWords();
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
    <EditFrame
      title={t('form.editTitle', { name: shown.name })}
      lead={t('form.editLead')}
      page={page}
      waiting={canEdit ? undefined : t('form.cannotEdit', { phase: shown.phase_label })}
    >
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
    </EditFrame>
  );
}
