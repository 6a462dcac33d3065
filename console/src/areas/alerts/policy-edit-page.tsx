// Editing a policy. Alarms that fire go on, under the new rules.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { alertPolicy, type PolicyView } from '@gantry/contract/kinds/alert-policy.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useParams } from 'react-router';
import { Edited, EditFrame } from '../../parts/edit-frame.tsx';
import { useMe } from '../../parts/use-me.ts';
import { useSavedEdit } from '../../parts/use-saved-edit.tsx';
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
  const { data: me } = useMe();
  const page = `/monitor/policy/${policy.id}`;
  const saved = useSavedEdit({
    shown: policy,
    first: policyValuesOf(policy),
    rules: alertPolicy.api.writes.change,
    useForm: usePolicyForm,
    changeOf: policyChange,
    change: CALLS.updatePolicy,
    reads: POLICY_READS,
    words: { nothing: t('form.nothingChanged'), saved: t('form.saved') },
    ...{ page, onReload },
  });
  return (
    <EditFrame title={t('form.editTitle', { name: policy.name })} page={page}>
      <PolicyForm
        {...saved}
        isMine={policy.creator === me?.account_id}
        node="alertPolicy.edit"
        submitLabel={t('form.save')}
      />
    </EditFrame>
  );
}
