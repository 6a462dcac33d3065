// The monthly cap of the organisation, or of one member or several.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormCheckbox, FormText } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { currencySign, typedAmount } from '@gantry/ui/format/money.ts';
import InputAdornment from '@mui/material/InputAdornment';
import { useWatch } from 'react-hook-form';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import type { Member } from '../organization-of.ts';
import { useOrganizationWords } from '../use-organization-words.ts';

interface SetCapProps {
  /** Absent: of the whole organisation. */
  members?: readonly Pick<Member, 'account_id' | 'name'>[];
  onClose(): void;
}

interface Typed {
  isCapped: boolean;
  amount: string;
}

export function SetCap({ members, onClose }: SetCapProps) {
  const t = useOrganizationWords();
  const { data } = useCall(CALLS.getSpendCaps, {});
  const now =
    members === undefined
      ? data?.organization.cap
      : data?.members.find(({ account_id }) => account_id === members[0]?.account_id)?.cap;
  const { form, error, submit } = useServerForm<Typed>({
    defaultValues: { isCapped: true, amount: now ?? '' },
    // Whatever of it is refused, it is the amount.
    fieldOf: () => 'amount',
    mode: 'onSubmit',
    resolver: (typed) =>
      typed.isCapped && typed.amount.trim() === ''
        ? { values: {}, errors: { amount: { type: 'required', message: t('caps.amountMissing') } } }
        : { values: typed, errors: {} },
  });
  const isCapped = useWatch({ control: form.control, name: 'isCapped' });
  const set = useCommand(CALLS.setSpendCaps, { isQuiet: true, invalidates: [CALLS.getSpendCaps], onSuccess: onClose });
  const send = submit(async (typed) => {
    const cap = typed.isCapped ? typedAmount(typed.amount) : null;
    const body =
      members === undefined
        ? { organization: cap }
        : { members: members.map(({ account_id }) => ({ account_id, cap })) };
    await set.mutateAsync({ body });
  });
  const [first] = members ?? [];
  const title =
    members === undefined
      ? t('caps.title', { name: t('caps.organization') })
      : members.length === 1 && first
        ? t('caps.title', { name: first.name })
        : t('caps.setMany', { smart_count: members.length });
  return (
    <FormDialog
      title={title}
      lead={t('caps.lead')}
      submitLabel={t('caps.save')}
      isBusy={set.isPending}
      error={error}
      onSubmit={send}
      onClose={onClose}
    >
      <FormCheckbox control={form.control} name="isCapped" label={t('caps.isCapped')} />
      <FormText
        control={form.control}
        name="amount"
        label={t('caps.amount')}
        help={t('caps.amountHelp')}
        disabled={!isCapped}
        slotProps={{
          htmlInput: { inputMode: 'decimal' },
          input: {
            startAdornment: data && <InputAdornment position="start">{currencySign(data.currency)}</InputAdornment>,
          },
        }}
      />
    </FormDialog>
  );
}
