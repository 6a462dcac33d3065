// Name and description of the organisation.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import type { OrganizationDetail } from '../organization-of.ts';
import { useOrganizationWords } from '../use-organization-words.ts';

export function EditOrganization({ organization }: { organization: OrganizationDetail }) {
  const t = useOrganizationWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        {t('edit.action')}
      </Button>
      {isOpen && <EditDialog organization={organization} onClose={() => setOpen(false)} />}
    </>
  );
}

function EditDialog({ organization, onClose }: { organization: OrganizationDetail; onClose(): void }) {
  const t = useOrganizationWords();
  const ui = useUiWords();
  const { org_id } = organization;
  const { form, error, submit } = useServerForm({
    defaultValues: { org_name: organization.org_name, description: organization.description },
  });
  const edit = useCommand(CALLS.editOrganization, {
    isQuiet: true,
    invalidates: [CALLS.getMyOrganization, CALLS.listOrganizations],
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={t('edit.title')}
      submitLabel={ui('actions.save')}
      isBusy={edit.isPending}
      error={error}
      onSubmit={submit((body) => edit.mutateAsync({ params: { org_id }, body }))}
      onClose={onClose}
    >
      <FormText control={form.control} name="org_name" label={t('edit.name')} isRequired autoFocus sx={{ mt: 1 }} />
      <FormText control={form.control} name="description" label={t('edit.description')} multiline minRows={3} />
    </FormDialog>
  );
}
