// Editing a job: what is saved takes effect with its next run.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { type JobView, job } from '@gantry/contract/kinds/job.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Edited, EditFrame } from '../../../parts/edit-frame.tsx';
import { isConflict, LoadAgain } from '../../../parts/load-again.tsx';
import { useProgramForm } from '../form/use-program-form.ts';
import { useDeployWords } from '../use-deploy-words.ts';
import { JobForm } from './job-form.tsx';
import { jobChange, jobValuesOf } from './job-values.ts';

export function JobEditPage() {
  const t = useDeployWords();
  const { id = '' } = useParams();
  const found = useCall(CALLS.getJob, { params: { id } });
  return (
    <Edited found={found} title={t('form.editTitle', { name: id })}>
      {(job, reload) => <EditJob job={job} onReload={reload} />}
    </Edited>
  );
}

function EditJob({ job: shown, onReload }: { job: JobView; onReload: () => Promise<void> }) {
  const t = useDeployWords();
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
    <EditFrame
      title={t('form.editTitle', { name: shown.name })}
      lead={t('job.editLead')}
      page={page}
      waiting={canEdit ? undefined : t('form.cannotEdit', { phase: shown.phase_label })}
    >
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
    </EditFrame>
  );
}
