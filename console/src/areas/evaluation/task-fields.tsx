// What the subjects are asked: up to sixteen datasets, each with what an answer to it is worth.

import { CALLS } from '@gantry/contract/http/calls.ts';
import { METRICS, MOST_EVALUATION_TASKS } from '@gantry/contract/kinds/evaluation-schema.ts';
import { METRIC_WORDS } from '@gantry/contract/kinds/evaluation-words.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { optionsOf, useReadableDatasets, withChosen } from '../../parts/use-names.ts';
import { useTableColumns } from '../../parts/use-table-columns.ts';
import { ColumnField } from '../../parts/workload/column-field.tsx';
import { FormRows } from '../../parts/workload/form-rows.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { EMPTY_TASK, type EvaluationValues, needsAnswer } from './evaluation-values.ts';
import { useEvaluationWords } from './use-evaluation-words.ts';

const Field = fieldsOf<EvaluationValues>();
const ALL = 1000;
const EMPTY_SHOWN = { select: { displayEmpty: true }, inputLabel: { shrink: true } } as const;

export function TaskFields() {
  const t = useEvaluationWords();
  const { control } = useFormContext<EvaluationValues>();
  const rows = useFieldArray({ control, name: 'tasks' });
  return (
    <FormSection title={t('fields.tasks')}>
      <FormRows
        title={t('fields.tasks')}
        isAlone
        hint={t('form.tasksHint')}
        rows={rows}
        add={t('form.addTask')}
        most={MOST_EVALUATION_TASKS}
        canRemove={rows.fields.length > 1}
        blank={EMPTY_TASK}
        columns={{ xs: '1fr', sm: 'repeat(2, minmax(0, 1fr))' }}
        cells={(at) => <TaskCells at={at} />}
      />
    </FormSection>
  );
}

function TaskCells({ at }: { at: number }) {
  const t = useEvaluationWords();
  const language = useLanguage();
  const { control, setValue } = useFormContext<EvaluationValues>();
  const {
    dataset = '',
    version = '',
    metric = 'ExactMatch',
  } = useWatch({ control, name: `tasks.${at}` }) ?? EMPTY_TASK;
  const datasets = useReadableDatasets();
  const known = useTableColumns({ dataset, version });
  const { items: versions } = useList(
    CALLS.listDatasetVersions,
    { params: { id: dataset } },
    { size: ALL, enabled: dataset !== '' },
  );
  const ready = versions
    .filter(({ state }) => state === 'ready')
    .map((one) => ({ value: `${one.version}`, label: t('fields.version', { version: one.version }) }));
  return (
    <>
      <Field.Select
        name={`tasks.${at}.dataset`}
        label={t('fields.dataset')}
        options={optionsOf(datasets, dataset)}
        // A version is one of its dataset.
        onChosen={() => setValue(`tasks.${at}.version`, '')}
        isRequired
      />
      <Field.Select
        name={`tasks.${at}.version`}
        label={t('fields.versionLabel')}
        options={[{ value: '', label: t('fields.newestVersion') }, ...withChosen(ready, version)]}
        slotProps={EMPTY_SHOWN}
        disabled={dataset === ''}
      />
      <Field.Select
        name={`tasks.${at}.metric`}
        label={t('fields.metric')}
        help={t(`metricHints.${metric}`)}
        options={METRICS.map((value) => ({ value, label: METRIC_WORDS[value][language] }))}
      />
      <Field.Text
        name={`tasks.${at}.name`}
        label={t('form.taskName')}
        help={t('form.taskNameHint')}
        autoComplete="off"
      />
      <ColumnField name={`tasks.${at}.columns.prompt`} label={t('columns.prompt')} known={known} isRequired />
      <ColumnField
        name={`tasks.${at}.columns.answer`}
        label={t('columns.answer')}
        known={known}
        {...(needsAnswer(metric) ? { isRequired: true } : { help: t('columns.optional') })}
      />
      <ColumnField
        name={`tasks.${at}.columns.system`}
        label={t('columns.system')}
        known={known}
        help={t('columns.optional')}
      />
    </>
  );
}
