// Editing a service: a change of its program or size starts new replicas, one after another.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { containerService, type ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Edited, EditFrame } from '../../../parts/edit-frame.tsx';
import { isConflict, LoadAgain } from '../../../parts/load-again.tsx';
import { useProgramForm } from '../form/use-program-form.ts';
import { useDeployWords } from '../use-deploy-words.ts';
import { ServiceForm } from './service-form.tsx';
import { serviceChange, serviceValuesOf } from './service-values.ts';

export function ServiceEditPage() {
  const t = useDeployWords();
  const { id = '' } = useParams();
  const found = useCall(CALLS.getService, { params: { id } });
  return (
    <Edited found={found} title={t('form.editTitle', { name: id })}>
      {(service, reload) => <EditService service={service} onReload={reload} />}
    </Edited>
  );
}

function EditService({ service: shown, onReload }: { service: ServiceView; onReload: () => Promise<void> }) {
  const t = useDeployWords();
  const toast = useToast();
  const go = useNavigate();
  // Changes are relative to the values at the beginning, whatever the stream brings meanwhile.
  const [{ before, generation }] = useState(() => ({ before: serviceValuesOf(shown), generation: shown.generation }));
  const { form, error, submit } = useProgramForm({
    first: before,
    rules: containerService.api.writes.change,
    bodyOf: (values) => serviceChange(before, values),
  });
  const update = useCommand(CALLS.updateService, {
    isQuiet: true,
    success: false,
    invalidates: [CALLS.listServices, CALLS.getService],
  });
  const page = `/deploy/service/${shown.id}`;
  const canEdit = shown.actions.some(({ action }) => action === 'edit');
  const save = submit(async (values) => {
    const body = serviceChange(before, values);
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
      lead={t('service.editLead')}
      page={page}
      waiting={canEdit ? undefined : t('form.cannotEdit', { phase: shown.phase_label })}
    >
      <ServiceForm
        form={form}
        isNew={false}
        error={error}
        help={isConflict(update.error) && <LoadAgain onLoad={onReload} />}
        node="containerService.edit"
        submitLabel={t('form.save')}
        isBusy={update.isPending}
        canSubmit={canEdit}
        onSubmit={save}
      />
    </EditFrame>
  );
}
