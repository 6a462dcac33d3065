// Name, tags and renewal of a host.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormCheckbox, FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useReducer, useState } from 'react';
import { Controller } from 'react-hook-form';
import { isConflict, LoadAgain } from '../../parts/load-again.tsx';
import { TagsField } from './tags-field.tsx';
import { useHostWords } from './use-host-words.ts';

const RULES = gpuHost.api.writes.change.pick({ displayName: true, tags: true, autoRenew: true });

interface EditValues {
  displayName: string;
  tags: string[];
  autoRenew: boolean;
}

interface EditHostProps {
  host: HostView;
  onClose(): void;
}

export function EditHost(props: EditHostProps) {
  const [round, begin] = useReducer((rounds: number) => rounds + 1, 0);
  return <EditForm key={round} {...props} onReload={begin} />;
}

/** Shows the host as it was when the form was opened, and sends only changes to that. */
function EditForm({ host: now, onClose, onReload }: EditHostProps & { onReload(): void }) {
  const [host] = useState(now);
  const t = useHostWords();
  const ui = useUiWords();
  const language = useLanguage();
  const { form, error, submit } = useServerForm<EditValues>({
    defaultValues: { displayName: host.name, tags: [...host.tags], autoRenew: host.auto_renew },
    resolver: rulesOf<EditValues>(RULES as never, language),
  });
  const change = useCommand(CALLS.updateHost, {
    isQuiet: true,
    invalidates: [CALLS.listHosts, CALLS.getHost, CALLS.listHostTags],
    onSuccess: onClose,
  });
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="edit-host">
      <form
        noValidate
        onSubmit={submit(({ displayName, tags, autoRenew }) =>
          change.mutateAsync({
            params: { id: host.id },
            query: { generation: host.generation },
            body: { ...(displayName !== host.name && { displayName }), tags, autoRenew },
          }),
        )}
      >
        <DialogTitle id="edit-host">{t('edit.title', { name: host.name })}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2, '&&': { pt: 1 } }}>
          <FormText
            control={form.control}
            name="displayName"
            label={ui('fields.name')}
            help={t('nameHelp')}
            isRequired
          />
          <Controller
            control={form.control}
            name="tags"
            render={({ field }) => <TagsField tags={field.value} onChange={field.onChange} />}
          />
          {host.source === 'rented' && (
            <FormCheckbox
              control={form.control}
              name="autoRenew"
              label={t('autoRenew.label')}
              help={t('autoRenew.help')}
            />
          )}
          {error !== undefined && (
            <Alert severity="error" action={isConflict(change.error) && <LoadAgain onLoad={onReload} />}>
              {error}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button onClick={onClose}>{ui('actions.cancel')}</Button>
          <Button type="submit" variant="contained" loading={change.isPending}>
            {ui('actions.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
