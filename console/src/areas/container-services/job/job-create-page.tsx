// A new job on one page. Links may fill in its values: those of another job, or an image.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { missingIn } from '../../../parts/missing-money.ts';
import { TopUpButton } from '../../../parts/top-up-button.tsx';
import { DraftNotice, useDraft } from '../../../parts/use-draft.tsx';
import { withoutSecretValues } from '../form/env-rows.ts';
import { useProgramForm } from '../form/use-program-form.ts';
import { useDeployWords } from '../use-deploy-words.ts';
import { JobForm } from './job-form.tsx';
import { emptyJob, type JobValues, jobBody, jobValuesOf } from './job-values.ts';

export function JobCreatePage() {
  const t = useDeployWords();
  const [query] = useSearchParams();
  const from = query.get('from') ?? '';
  const { data, error, refetch } = useCall(CALLS.getJob, { params: { id: from } }, { enabled: from !== '' });
  const image = query.get('image');
  return (
    <>
      <PageHeader title={t('job.createTitle')} lead={t('job.createLead')} />
      {from === '' ? (
        <NewJob first={{ ...emptyJob(), ...(image !== null && { image }) }} />
      ) : data ? (
        <NewJob key={from} first={jobValuesOf(data, true)} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={4} height={140} />
      )}
    </>
  );
}

function NewJob({ first }: { first: JobValues }) {
  const t = useDeployWords();
  const go = useNavigate();
  const draft = useDraft('job', first, withoutSecretValues);
  const { form, error, submit } = useProgramForm({
    first: draft.begun,
    rules: job.api.writes.create,
    bodyOf: jobBody,
  });
  const [missing, setMissing] = useState<string>();
  const create = useCommand(CALLS.createJob, { isQuiet: true, invalidates: [CALLS.listJobs] });
  const send = submit(async (values) => {
    setMissing(undefined);
    const made = await draft
      .send(values, () => create.mutateAsync({ body: jobBody(values) }))
      .catch((refused: unknown) => {
        setMissing(missingIn(refused));
        throw refused;
      });
    await go(`/deploy/job/${made.id}`);
  });
  // Also where all is as it came: afterwards the way leads back here.
  const toPay = () => draft.keep(form.getValues());
  const hasSecrets = draft.begun.env.some(({ isSecret, kept }) => isSecret && !kept);
  return (
    <JobForm
      form={form}
      isNew
      error={error}
      help={missing !== undefined && <TopUpButton missing={missing} onLeave={toPay} />}
      node="createJob"
      submitLabel={t('job.submit')}
      isBusy={create.isPending}
      onRecharge={toPay}
      onSubmit={send}
      notice={
        <DraftNotice draft={draft} form={form}>
          {hasSecrets && t('form.secretsNotKept')}
        </DraftNotice>
      }
    />
  );
}
