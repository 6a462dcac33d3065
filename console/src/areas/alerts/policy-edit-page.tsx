// Editing a policy. Alarms that fire go on, under the new rules.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { alertPolicy, type PolicyView } from '@gantry/contract/kinds/alert-policy.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Edited, EditFrame } from '../../parts/edit-frame.tsx';
import { isConflict, LoadAgain } from '../../parts/load-again.tsx';
import { useMe } from '../../parts/use-me.ts';
import { POLICY_READS } from './policy-actions.tsx';
import { PolicyForm } from './policy-form.tsx';
import { policyChange, policyValuesOf } from './policy-values.ts';
import { useAlertWords } from './use-alert-words.ts';
import { usePolicyForm } from './use-policy-form.ts';

export function PolicyEditPage() {
  const t = useAlertWords();
  const { id = '' } = useParams();
  const found = useCall(CALLS.getPolicy, { params: { id } });
  return (
    <Edited found={found} title={t('form.editTitle', { name: id })}>
      {(policy, reload) => <EditPolicy policy={policy} onReload={reload} />}
    </Edited>
  );
}

function EditPolicy({ policy, onReload }: { policy: PolicyView; onReload: () => Promise<void> }) {
  const t = useAlertWords();
  const toast = useToast();
  const go = useNavigate();
  const { data: me } = useMe();
  // Changes are relative to the values at the beginning, whatever the stream brings meanwhile.
  const [{ before, generation }] = useState(() => ({
    before: policyValuesOf(policy),
    generation: policy.generation,
  }));
  const { form, error, submit } = usePolicyForm(before, alertPolicy.api.writes.change, (values) =>
    policyChange(before, values),
  );
  const update = useCommand(CALLS.updatePolicy, { isQuiet: true, success: false, invalidates: POLICY_READS });
  const page = `/monitor/policy/${policy.id}`;
  const save = submit(async (values) => {
    const body = policyChange(before, values);
    if (Object.keys(body).length === 0) toast.info(t('form.nothingChanged'));
    else {
      await update.mutateAsync({ params: { id: policy.id }, query: { generation }, body });
      toast.success(t('form.saved'));
      await go(page);
    }
  });
  return (
    <EditFrame title={t('form.editTitle', { name: policy.name })} page={page}>
      <PolicyForm
        form={form}
        isNew={false}
        isMine={policy.creator === me?.account_id}
        error={error}
        help={isConflict(update.error) && <LoadAgain onLoad={onReload} />}
        node="alertPolicy.edit"
        submitLabel={t('form.save')}
        isBusy={update.isPending}
        onSubmit={save}
      />
    </EditFrame>
  );
}
