// Editing a job: what is saved takes effect with its next run.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { type JobView, job } from '@gantry/contract/kinds/job.ts';
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
import { JobForm } from './job-form.tsx';
import { jobChange, jobValuesOf } from './job-values.ts';

export function JobEditPage() {
  const t = useDeployWords();
  const { id = '' } = useParams();
  const { data, error, refetch } = useCall(CALLS.getJob, { params: { id } });
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
  return <EditJob key={round} job={data} onReload={reload} />;
}

function EditJob({ job: shown, onReload }: { job: JobView; onReload: () => Promise<void> }) {
  const t = useDeployWords();
  const ui = useUiWords();
  const toast = useToast();
  const go = useNavigate();
  // Changes are relative to the values at the beginning, whatever the stream brings meanwhile.
  const [{ before, generation }] = useState(() => ({ before: jobValuesOf(shown), generation: shown.generation }));
  const { form, error, submit } = useProgramForm({
    first: before,
    rules: job.api.writes.change,
    bodyOf: (values) => jobChange(before, values),
  });
  const update = useCommand(CALLS.updateJob, {
    isQuiet: true,
    success: false,
    invalidates: [CALLS.listJobs, CALLS.getJob],
  });
  const page = `/deploy/job/${shown.id}`;
  const canEdit = shown.actions.some(({ action }) => action === 'edit');
  const save = submit(async (values) => {
    const body = jobChange(before, values);
    if (Object.keys(body).length === 0) toast.info(t('form.nothingChanged'));
    else {
      await update.mutateAsync({ params: { id: shown.id }, query: { generation }, body });
      toast.success(t('form.saved'));
      await go(page);
    }
  });
  return (
    <>
      <PageHeader title={t('form.editTitle', { name: shown.name })} lead={t('job.editLead')}>
        <Button component={Link} to={page}>
          {ui('actions.cancel')}
        </Button>
      </PageHeader>
      {!canEdit && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {t('form.cannotEdit', { phase: shown.phase_label })}
        </Alert>
      )}
      <JobForm
        form={form}
        isNew={false}
        error={error}
        help={isConflict(update.error) && <LoadAgain onLoad={onReload} />}
        node="job.edit"
        submitLabel={t('form.save')}
        isBusy={update.isPending}
        canSubmit={canEdit}
        onSubmit={save}
      />
    </>
  );
}
