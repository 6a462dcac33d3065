// A new service on one page. Links may fill in its values: those of another service, or an image.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
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
import { ServiceForm } from './service-form.tsx';
import { EMPTY_SERVICE, type ServiceValues, serviceBody, serviceValuesOf } from './service-values.ts';

export function ServiceCreatePage() {
  const t = useDeployWords();
  const [query] = useSearchParams();
  const from = query.get('from') ?? '';
  const { data, error, refetch } = useCall(CALLS.getService, { params: { id: from } }, { enabled: from !== '' });
  const image = query.get('image');
  return (
    <>
      <PageHeader title={t('service.createTitle')} lead={t('service.createLead')} />
      {from === '' ? (
        <NewService first={{ ...EMPTY_SERVICE, ...(image !== null && { image }) }} />
      ) : data ? (
        <NewService key={from} first={serviceValuesOf(data, true)} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={4} height={140} />
      )}
    </>
  );
}

function NewService({ first }: { first: ServiceValues }) {
  const t = useDeployWords();
  const go = useNavigate();
  const draft = useDraft('service', first, withoutSecretValues);
  const { form, error, submit } = useProgramForm({
    first: draft.begun,
    rules: containerService.api.writes.create,
    bodyOf: serviceBody,
  });
  const [missing, setMissing] = useState<string>();
  const create = useCommand(CALLS.createService, { isQuiet: true, invalidates: [CALLS.listServices] });
  const send = submit(async (values) => {
    setMissing(undefined);
    const made = await draft
      .send(values, () => create.mutateAsync({ body: serviceBody(values) }))
      .catch((refused: unknown) => {
        setMissing(missingIn(refused));
        throw refused;
      });
    await go(`/deploy/service/${made.id}`);
  });
  // Also where all is as it came: afterwards the way leads back here.
  const toPay = () => draft.keep(form.getValues());
  const hasSecrets = draft.begun.env.some(({ isSecret, kept }) => isSecret && !kept);
  return (
    <ServiceForm
      form={form}
      isNew
      error={error}
      help={missing !== undefined && <TopUpButton missing={missing} onLeave={toPay} />}
      node="createService"
      submitLabel={t('service.submit')}
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
