// A new organisation, and the question whether one goes there.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Add from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState } from 'react';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useEnterOrganization } from '../use-enter-organization.ts';
import { useOrganizationWords } from '../use-organization-words.ts';

interface Made {
  org_id: string;
  org_name: string;
}

export function CreateOrganization() {
  const t = useOrganizationWords();
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<Made>();
  return (
    <>
      <Button variant="outlined" startIcon={<Add />} onClick={() => setOpen(true)}>
        {t('create.action')}
      </Button>
      {isOpen && (
        <CreateDialog
          onClose={() => setOpen(false)}
          onMade={(organization) => {
            setOpen(false);
            setMade(organization);
          }}
        />
      )}
      {made && <MadeDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}

function CreateDialog({ onClose, onMade }: { onClose(): void; onMade(made: Made): void }) {
  const t = useOrganizationWords();
  const ui = useUiWords();
  const { form, error, submit } = useServerForm({ defaultValues: { org_name: '', description: '' } });
  const create = useCommand(CALLS.createOrganization, {
    isQuiet: true,
    success: false,
    invalidates: [CALLS.listOrganizations],
    onSuccess: onMade,
  });
  return (
    <FormDialog
      title={t('create.title')}
      lead={t('create.lead')}
      submitLabel={ui('actions.create')}
      isBusy={create.isPending}
      error={error}
      onSubmit={submit((body) => create.mutateAsync({ body }))}
      onClose={onClose}
    >
      <FormText control={form.control} name="org_name" label={t('edit.name')} isRequired autoFocus />
      <FormText control={form.control} name="description" label={t('edit.description')} multiline minRows={2} />
    </FormDialog>
  );
}

function MadeDialog({ made, onClose }: { made: Made; onClose(): void }) {
  const t = useOrganizationWords();
  const toast = useToast();
  const { enter } = useEnterOrganization();
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const go = async () => {
    setBusy(true);
    await enter(made.org_id).catch((error: unknown) => {
      setBusy(false);
      toast.error(sentenceOf(error));
    });
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={id}>
      <DialogTitle id={id}>{t('create.done', { name: made.org_name })}</DialogTitle>
      <DialogContent>{t('create.doneLead')}</DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onClose}>{t('create.stay')}</Button>
        <Button variant="contained" autoFocus loading={isBusy} onClick={() => void go()}>
          {t('create.switch')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
