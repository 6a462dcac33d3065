// The organisation's keys of S3 stores: they go in, are replaced and deleted, and are never shown again.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { keysIn, NO_S3_KEYS, S3KeyFields, type S3Keys, s3FieldOf } from './s3-fields.tsx';
import { useDatasetWords } from './use-dataset-words.ts';

const CHANGED = [CALLS.listS3Credentials] as const;

export function S3CredentialsDialog({ onClose }: { onClose(): void }) {
  const t = useDatasetWords();
  const ui = useUiWords();
  const { data: stored = [] } = useCall(CALLS.listS3Credentials, {});
  const [asked, setAsked] = useState<string>();
  const set = useCommand(CALLS.setS3Credentials, {
    isQuiet: true,
    invalidates: CHANGED,
    onSuccess: () => form.reset(),
  });
  const { form, error, submit } = useServerForm<S3Keys>({
    defaultValues: NO_S3_KEYS,
    fieldOf: (member) => s3FieldOf(member) as keyof S3Keys | undefined,
  });
  const send = submit((values) => set.mutateAsync({ body: keysIn(values) }));
  return (
    <>
      <FormDialog
        title={t('s3.title')}
        lead={t('s3.lead')}
        submitLabel={ui('actions.save')}
        isBusy={set.isPending}
        error={error}
        onSubmit={(event) => void send(event)}
        onClose={onClose}
      >
        {stored.length === 0 ? (
          <Typography variant="body2">{t('s3.noneStored')}</Typography>
        ) : (
          <Box component="ul" aria-label={t('s3.title')} sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {stored.map(({ name, create_time: time }) => (
              <Box component="li" key={name} sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
                <Typography variant="body2" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
                  <strong>{name}</strong> · {timeText(time)}
                </Typography>
                <Button
                  size="small"
                  color="error"
                  aria-label={`${ui('actions.delete')}: ${name}`}
                  onClick={() => setAsked(name)}
                >
                  {ui('actions.delete')}
                </Button>
              </Box>
            ))}
          </Box>
        )}
        <S3KeyFields control={form.control} />
      </FormDialog>
      {asked !== undefined && <DeleteKeys name={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function DeleteKeys({ name, onClose }: { name: string; onClose(): void }) {
  const t = useDatasetWords();
  const ui = useUiWords();
  const remove = useCommand(CALLS.deleteS3Credentials, { isQuiet: true, invalidates: CHANGED, onSuccess: onClose });
  return (
    <ConfirmDialog
      title={t('s3.delete', { name })}
      lost={[t('s3.lost')]}
      confirmLabel={ui('actions.delete')}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id: name } })}
      onClose={onClose}
    />
  );
}
