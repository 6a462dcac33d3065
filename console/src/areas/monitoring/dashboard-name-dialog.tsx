// The dialog for the name of a dashboard.
import { dashboardBody } from '@gantry/contract/areas/monitoring/dashboards.ts';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useMonitorWords } from './use-monitor-words.ts';

interface DashboardNameDialogProps {
  heading: string;
  /** So far. */
  title: string;
  onSave: (title: string) => Promise<unknown>;
  onClose: () => void;
}

const RULES = dashboardBody.pick({ title: true });

export function DashboardNameDialog({ heading, title, onSave, onClose }: DashboardNameDialogProps) {
  const t = useMonitorWords();
  const ui = useUiWords();
  const { form, error, submit } = useServerForm<{ title: string }>({
    defaultValues: { title },
    resolver: rulesOf(RULES, useLanguage()) as never,
  });
  const { control, formState } = form;
  const send = submit(async (values) => {
    await onSave(values.title);
    onClose();
  });
  return (
    <FormDialog
      title={heading}
      submitLabel={ui('actions.save')}
      isBusy={formState.isSubmitting}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      <FormText control={control} name="title" label={t('dashboards.name')} isRequired autoComplete="off" />
    </FormDialog>
  );
}
