// The organisation's token of the hub: it goes in and is never shown again.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormPassword } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useModelWords } from './use-model-words.ts';

export function HubTokenDialog({ onClose }: { onClose(): void }) {
  const t = useModelWords();
  const { data } = useCall(CALLS.getModelHubToken, {});
  const set = useCommand(CALLS.setModelHubToken, {
    isQuiet: true,
    invalidates: [CALLS.getModelHubToken],
    onSuccess: onClose,
  });
  const remove = useCommand(CALLS.deleteModelHubToken, { invalidates: [CALLS.getModelHubToken] });
  const { form, error, submit } = useServerForm<{ token: string }>({ defaultValues: { token: '' } });
  const send = submit((body) => set.mutateAsync({ body }));
  return (
    <FormDialog
      title={t('token.title')}
      lead={t('token.lead')}
      submitLabel={t('token.set')}
      isBusy={set.isPending}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      <Typography variant="body2" role="status">
        {data?.is_set ? t('token.isSet', { time: timeText(data.create_time) }) : t('token.isNotSet')}
      </Typography>
      <FormPassword
        control={form.control}
        name="token"
        label={t('token.field')}
        isRequired
        autoComplete="new-password"
      />
      {data?.is_set && (
        <Button color="error" loading={remove.isPending} onClick={() => remove.mutate({})} sx={{ alignSelf: 'start' }}>
          {t('token.remove')}
        </Button>
      )}
    </FormDialog>
  );
}
