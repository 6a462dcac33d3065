// A new policy on one page.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { useNavigate, useSearchParams } from 'react-router';
import { PolicyForm } from './policy-form.tsx';
import { linkedValues, policyBody } from './policy-values.ts';
import { templateOf } from './templates.ts';
import { useAlertWords } from './use-alert-words.ts';
import { usePolicyForm } from './use-policy-form.ts';

export function PolicyCreatePage() {
  const t = useAlertWords();
  const go = useNavigate();
  const [asked] = useSearchParams();
  const first = linkedValues(templateOf(asked.get('template')), asked);
  const { form, error, submit } = usePolicyForm({
    first,
    rules: alertPolicy.api.writes.create,
    bodyOf: policyBody,
  });
  const create = useCommand(CALLS.createPolicy, { isQuiet: true, invalidates: [CALLS.listPolicies] });
  const send = submit(async (values) => {
    const made = await create.mutateAsync({ body: policyBody(values) });
    await go(`/monitor/policy/${made.id}`);
  });
  return (
    <>
      <PageHeader title={t('form.createTitle')} lead={t('form.createLead')} />
      <PolicyForm
        form={form}
        isNew
        isMine
        error={error}
        node="createPolicy"
        submitLabel={t('form.submit')}
        isBusy={create.isPending}
        onSubmit={send}
      />
    </>
  );
}
