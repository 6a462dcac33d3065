// Editing a service: a change of its program or size starts new replicas, one after another.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { containerService, type ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { isConflict, LoadAgain } from '../../../parts/load-again.tsx';
import { useProgramForm } from '../form/use-program-form.ts';
import { useDeployWords } from '../use-deploy-words.ts';
import { ServiceForm } from './service-form.tsx';
import { serviceChange, serviceValuesOf } from './service-values.ts';

export function ServiceEditPage() {
  const t = useDeployWords();
  const { id = '' } = useParams();
  const { data, error, refetch } = useCall(CALLS.getService, { params: { id } });
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
  return <EditService key={round} service={data} onReload={reload} />;
}

function EditService({ service: shown, onReload }: { service: ServiceView; onReload: () => Promise<void> }) {
  const t = useDeployWords();
  const ui = useUiWords();
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
    <>
      <PageHeader title={t('form.editTitle', { name: shown.name })} lead={t('service.editLead')}>
        <Button component={Link} to={page}>
          {ui('actions.cancel')}
        </Button>
      </PageHeader>
      {!canEdit && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {t('form.cannotEdit', { phase: shown.phase_label })}
        </Alert>
      )}
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
    </>
  );
}
