// Exports an instance as an image: its name, and the effect on a running instance.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useNavigate } from 'react-router';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useInstanceWords } from './use-instance-words.ts';

export function ExportDialog({ instance, onClose }: { instance: InstanceView; onClose: () => void }) {
  const t = useInstanceWords();
  const toast = useToast();
  const go = useNavigate();
  const { id, name, actions } = instance;
  const runs = actions.some(({ action }) => action === 'login');
  const { form, error, submit } = useServerForm<{ displayName: string }>({ defaultValues: { displayName: '' } });
  const act = useCommand(CALLS.actInstance, {
    isQuiet: true,
    success: false,
    invalidates: [CALLS.listInstances, CALLS.getInstance, CALLS.listImages],
  });
  const label = actions.find(({ action }) => action === 'exportTemplate')?.label ?? '';
  const send = submit(async ({ displayName }) => {
    await act.mutateAsync({ params: { id }, body: { action: 'exportTemplate', displayName } });
    onClose();
    toast.info(
      t('ask.exported'),
      <Button onClick={() => void go('/develop/template?official=false')} color="inherit" size="small">
        {t('ask.toImages')}
      </Button>,
    );
  });
  return (
    <FormDialog
      title={t('ask.exportTitle', { name })}
      submitLabel={label}
      isBusy={act.isPending}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      <Alert severity={runs ? 'warning' : 'info'}>{t(runs ? 'ask.exportRunning' : 'ask.exportResting')}</Alert>
      <FormText
        control={form.control}
        name="displayName"
        label={t('ask.exportName')}
        help={t('ask.exportNameHint')}
        isRequired
        autoFocus
        autoComplete="off"
      />
    </FormDialog>
  );
}
