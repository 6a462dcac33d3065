// Logins to private registries: those there are, and one more. A token goes in and is never shown again.

import { MOST_REGISTRIES, registryBody } from '@gantry/contract/areas/identity/registries.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand, useList } from '@gantry/ui/client/use-api.tsx';
import { FormPassword, FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import Delete from '@mui/icons-material/DeleteOutlined';
import Alert from '@mui/material/Alert';
import IconButton from '@mui/material/IconButton';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import { useState } from 'react';
import type * as z from 'zod';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useImageWords } from './use-image-words.ts';

type Values = z.input<typeof registryBody>;

const EMPTY: Values = { id: '', server: '', user: '', token: '' };

export function RegistriesDialog({ onClose }: { onClose: () => void }) {
  const t = useImageWords();
  const ui = useUiWords();
  const may = useMay();
  const language = useLanguage();
  const [leaving, setLeaving] = useState<string>();
  const { items, error: unread } = useList(CALLS.listRegistries);
  const create = useCommand(CALLS.createRegistry, { isQuiet: true, invalidates: [CALLS.listRegistries] });
  const remove = useCommand(CALLS.deleteRegistry, {
    isQuiet: true,
    invalidates: [CALLS.listRegistries],
    onSuccess: () => setLeaving(undefined),
  });
  const { form, error, submit } = useServerForm<Values>({
    defaultValues: EMPTY,
    resolver: rulesOf(registryBody as unknown as z.ZodType<unknown, Values>, language),
  });
  const send = submit(async (body) => {
    await create.mutateAsync({ body });
    form.reset(EMPTY);
    form.setFocus('id');
  });
  const { control } = form;
  return (
    <>
      <FormDialog
        title={t('registries.title')}
        lead={t('registries.lead')}
        submitLabel={ui('actions.add')}
        isBusy={create.isPending}
        isDisabled={!may('createRegistry') || items.length >= MOST_REGISTRIES}
        error={error}
        onSubmit={(event) => void send(event)}
        onClose={onClose}
      >
        {unread && <Alert severity="error">{unread.message}</Alert>}
        {items.length > 0 && (
          <List dense disablePadding aria-label={t('registries.title')}>
            {items.map(({ id, server, user, create_time }) => (
              <ListItem
                key={id}
                disableGutters
                secondaryAction={
                  may('deleteRegistry') && (
                    <IconButton
                      edge="end"
                      aria-label={`${ui('actions.delete')}: ${id}`}
                      onClick={() => {
                        remove.reset();
                        setLeaving(id);
                      }}
                    >
                      <Delete fontSize="small" />
                    </IconButton>
                  )
                }
              >
                <ListItemText
                  primary={id}
                  secondary={`${user} · ${server} · ${timeText(create_time)}`}
                  slotProps={{ primary: { noWrap: true, title: id }, secondary: { sx: { overflowWrap: 'anywhere' } } }}
                />
              </ListItem>
            ))}
          </List>
        )}
        <FormText
          control={control}
          name="id"
          label={ui('fields.name')}
          help={t('registries.nameHint')}
          isRequired
          autoFocus
          autoComplete="off"
        />
        <FormText
          control={control}
          name="server"
          label={t('registries.server')}
          help={t('registries.serverHint')}
          isRequired
          autoComplete="off"
        />
        <FormText control={control} name="user" label={t('registries.user')} isRequired autoComplete="off" />
        <FormPassword
          control={control}
          name="token"
          label={t('registries.token')}
          help={t('registries.tokenHint')}
          isRequired
          autoComplete="new-password"
        />
      </FormDialog>
      {leaving !== undefined && (
        <ConfirmDialog
          title={t('registries.delete', { name: leaving })}
          lost={[t('registries.lost')]}
          confirmLabel={ui('actions.delete')}
          isDangerous
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ params: { id: leaving } })}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}
