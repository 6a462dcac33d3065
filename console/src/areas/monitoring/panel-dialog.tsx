// A panel of a dashboard: its query, and how the answer is shown.
import {
  PANEL_CHARTS,
  PANEL_UNITS,
  PANEL_WIDTHS,
  type Panel,
  panel as panelRules,
} from '@gantry/contract/monitor/panels.ts';
import { FormSelect, FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import FormHelperText from '@mui/material/FormHelperText';
import Skeleton from '@mui/material/Skeleton';
import { Suspense } from 'react';
import { Controller } from 'react-hook-form';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { lazyPart } from '../../parts/lazy-part.ts';
import { useMonitorWords } from './use-monitor-words.ts';

const PromqlField = lazyPart(() => import('../../parts/promql-field.tsx'), 'PromqlField');
const EDITOR_PX = 60;
export const NEW_PANEL: Panel = { title: '', query: '', unit: 'none', chart: 'lines', width: 'half' };

interface PanelDialogProps {
  heading: string;
  panel: Panel;
  onSave: (panel: Panel) => Promise<unknown>;
  onClose: () => void;
}

export function PanelDialog({ heading, panel, onSave, onClose }: PanelDialogProps) {
  const t = useMonitorWords();
  const ui = useUiWords();
  const { form, error, submit } = useServerForm<Panel>({
    // A copy: the panel stays as it was opened.
    defaultValues: { ...panel },
    resolver: rulesOf(panelRules, useLanguage()) as never,
  });
  const { control, formState } = form;
  const send = submit(async (values) => {
    await onSave(values);
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
      <Controller
        control={control}
        name="query"
        render={({ field: { value, onChange }, fieldState: { error: refusal } }) => (
          <div>
            <Suspense fallback={<Skeleton variant="rounded" height={EDITOR_PX} />}>
              <PromqlField label={t('metric.query')} value={value} onChange={onChange} onRun={() => void send()} />
            </Suspense>
            <FormHelperText error={refusal !== undefined}>
              {refusal?.message ?? t('dashboards.queryHint')}
            </FormHelperText>
          </div>
        )}
      />
      <FormSelect
        control={control}
        name="chart"
        label={t('dashboards.chart')}
        options={PANEL_CHARTS.map((chart) => ({ value: chart, label: t(`dashboards.charts.${chart}`) }))}
      />
      <FormSelect
        control={control}
        name="unit"
        label={t('dashboards.unit')}
        options={PANEL_UNITS.map((unit) => ({ value: unit, label: t(`dashboards.units.${unit}`) }))}
      />
      <FormSelect
        control={control}
        name="width"
        label={t('dashboards.width')}
        options={PANEL_WIDTHS.map((width) => ({ value: width, label: t(`dashboards.widths.${width}`) }))}
      />
    </FormDialog>
  );
}
