// Contact points: those there are, and one more. An address goes in and is never shown again.

import { CONTACT_TYPES, contactBody } from '@gantry/contract/areas/alerts/alerts.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormPassword, FormSelect, FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import Delete from '@mui/icons-material/DeleteOutlined';
import IconButton from '@mui/material/IconButton';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import type * as z from 'zod';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useAlertWords } from './use-alert-words.ts';

type Values = z.input<typeof contactBody>;

const EMPTY: Values = { name: '', type: 'Webhook', url: '', key: '' };

export function ContactsDialog({ onClose }: { onClose: () => void }) {
  const t = useAlertWords();
  const ui = useUiWords();
  const may = useMay();
  const language = useLanguage();
  const { data: contacts = [] } = useCall(CALLS.listAlertContacts, {});
  const set = useCommand(CALLS.setAlertContact, { isQuiet: true, invalidates: [CALLS.listAlertContacts] });
  const remove = useCommand(CALLS.deleteAlertContact, { invalidates: [CALLS.listAlertContacts] });
  const { form, error, submit } = useServerForm<Values>({
    defaultValues: EMPTY,
    resolver: rulesOf(contactBody as unknown as z.ZodType<unknown, Values>, language),
  });
  const { control } = form;
  const send = submit(async (body) => {
    await set.mutateAsync({ body });
    form.reset(EMPTY);
  });
  return (
    <FormDialog
      title={t('contacts.title')}
      lead={t('contacts.lead')}
      submitLabel={ui('actions.add')}
      isBusy={set.isPending}
      isDisabled={!may('setAlertContact')}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      {contacts.length > 0 && (
        <List dense disablePadding aria-label={t('contacts.title')}>
          {contacts.map(({ name, type, host }) => (
            <ListItem
              key={name}
              disableGutters
              secondaryAction={
                may('deleteAlertContact') && (
                  <IconButton
                    edge="end"
                    aria-label={`${ui('actions.delete')}: ${name}`}
                    onClick={() => remove.mutate({ params: { id: name } })}
                  >
                    <Delete fontSize="small" />
                  </IconButton>
                )
              }
            >
              <ListItemText primary={name} secondary={`${type} · ${host}`} />
            </ListItem>
          ))}
        </List>
      )}
      <FormText control={control} name="name" label={ui('fields.name')} isRequired autoComplete="off" />
      <FormSelect
        control={control}
        name="type"
        label={t('contacts.type')}
        options={CONTACT_TYPES.map((type) => ({ value: type, label: type }))}
      />
      <FormText control={control} name="url" label={t('contacts.url')} isRequired autoComplete="off" />
      <FormPassword
        control={control}
        name="key"
        label={t('contacts.key')}
        help={t('contacts.keyHint')}
        autoComplete="new-password"
      />
    </FormDialog>
  );
}
