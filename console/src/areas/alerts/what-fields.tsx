// The target of a policy: objects, and what is measured of them.
import { ALERT_METRIC_NAMES, ALERT_METRICS, WATCHED_KINDS } from '@gantry/contract/alerts/metrics.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { AGGREGATIONS } from '@gantry/contract/kinds/alert-policy.ts';
import { MONITOR_KINDS } from '@gantry/contract/monitor/metrics.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import Skeleton from '@mui/material/Skeleton';
import { Suspense, useMemo } from 'react';
import { Controller, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { FormTags } from '../../parts/form-tags.tsx';
import { lazyPart } from '../../parts/lazy-part.ts';
import { FormFold } from '../../parts/workload/form-fold.tsx';
import { FormRows } from '../../parts/workload/form-rows.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { EMPTY_POLICY, type PolicyValues } from './policy-values.ts';
import { useAlertWords } from './use-alert-words.ts';

const Field = fieldsOf<PolicyValues>();

const PromqlField = lazyPart(() => import('../../parts/promql-field.tsx'), 'PromqlField');
const EDITOR_PX = 60;
const MOST_LABELS = 8;
const MOST_FILTERS = 8;
export const PAIR = { display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 } as const;

export function WhatFields() {
  const t = useAlertWords();
  const language = useLanguage();
  const { control } = useFormContext<PolicyValues>();
  const [kind, metric] = useWatch({ control, name: ['objects.kind', 'metric'] });
  const metrics = ALERT_METRIC_NAMES.filter((name) => name === metric || ALERT_METRICS[name].kinds.includes(kind));
  return (
    <FormSection title={t('form.what')}>
      <Box sx={PAIR}>
        <Field.Select
          name="objects.kind"
          label={t('form.kind')}
          options={WATCHED_KINDS.map((name) => ({ value: name, label: t(`kinds.${name}`) }))}
        />
        {kind !== 'Organization' && metric !== '' && <NamesField />}
        <Field.Select
          name="metric"
          label={t('form.metric')}
          options={[
            ...metrics.map((name) => ({ value: name, label: ALERT_METRICS[name][language] })),
            { value: '', label: t('form.own') },
          ]}
        />
        <Field.Select
          name="aggregation"
          label={t('form.aggregation')}
          options={AGGREGATIONS.map((name) => ({ value: name, label: t(`form.aggregations.${name}`) }))}
        />
        <Field.Number
          name="periodSeconds"
          label={t('form.period')}
          unit={t('form.seconds')}
          range={[15, 3600]}
          step={15}
          isRequired
        />
      </Box>
      {metric === '' && <QueryField />}
      <FormFold title={t('form.narrow')} names={['objects.labels', 'filters', 'groupBy'] as const} unset={EMPTY_POLICY}>
        <FormTags control={control} name="groupBy" label={t('form.groupBy')} help={t('form.groupByHint')} hasCommas />
        {kind !== 'Organization' && metric !== '' && <LabelFields />}
        <FilterFields />
      </FormFold>
    </FormSection>
  );
}

/** Objects that exist are suggested by the names that people gave them. */
function NamesField() {
  const t = useAlertWords();
  const { control } = useFormContext<PolicyValues>();
  const kind = useWatch({ control, name: 'objects.kind' });
  const { data } = useCall(CALLS.getTopology, {});
  const known = useMemo(() => {
    const kinds: Readonly<Record<string, string>> = { ...MONITOR_KINDS, disk: 'DataDisk' };
    const nodes = data?.nodes.filter(({ type }) => kinds[type] === kind) ?? [];
    return new Map(nodes.map(({ id, name }) => [id.slice(id.indexOf('/') + 1), name]));
  }, [data, kind]);
  return (
    <FormTags
      control={control}
      name="objects.names"
      label={t('form.names')}
      help={t('form.namesHint')}
      options={[...known.keys()]}
      textOf={(id) => ((known.get(id) ?? id) === id ? id : `${known.get(id)} (${id})`)}
      hasCommas
    />
  );
}

function QueryField() {
  const t = useAlertWords();
  const { control } = useFormContext<PolicyValues>();
  return (
    <Controller
      control={control}
      name="query"
      render={({ field: { value, onChange }, fieldState: { error } }) => (
        <div>
          <Suspense fallback={<Skeleton variant="rounded" height={EDITOR_PX} />}>
            <PromqlField label={t('form.query')} value={value} onChange={onChange} />
          </Suspense>
          <FormHelperText error={error !== undefined}>{error?.message ?? t('form.queryHint')}</FormHelperText>
        </div>
      )}
    />
  );
}

function LabelFields() {
  const t = useAlertWords();
  const { control } = useFormContext<PolicyValues>();
  const rows = useFieldArray({ control, name: 'objects.labels' });
  return (
    <FormRows
      title={t('form.labels')}
      hint={t('form.labelsHint')}
      rows={rows}
      add={t('form.addLabel')}
      most={MOST_LABELS}
      blank={{ name: '', value: '' }}
      cells={(at) => (
        <>
          <Field.Text name={`objects.labels.${at}.name`} label={t('form.label')} isRequired autoComplete="off" />
          <Field.Text name={`objects.labels.${at}.value`} label={t('form.labelValue')} autoComplete="off" />
        </>
      )}
    />
  );
}

function FilterFields() {
  const t = useAlertWords();
  const { control } = useFormContext<PolicyValues>();
  const rows = useFieldArray({ control, name: 'filters' });
  return (
    <FormRows
      title={t('form.filters')}
      hint={t('form.filtersHint')}
      rows={rows}
      add={t('form.addFilter')}
      most={MOST_FILTERS}
      columns={{ xs: '1fr', sm: '1fr 9rem minmax(0, 2fr)' }}
      blank={{ label: '', operator: 'In', values: [] }}
      cells={(at) => (
        <>
          <Field.Text name={`filters.${at}.label`} label={t('form.label')} isRequired autoComplete="off" />
          <Field.Select
            name={`filters.${at}.operator`}
            label={t('form.operator')}
            options={(['In', 'NotIn'] as const).map((name) => ({ value: name, label: t(`form.operators.${name}`) }))}
          />
          <FormTags
            control={control}
            name={`filters.${at}.values`}
            label={t('form.values')}
            help={t('form.valuesHint')}
            textOf={(value) => (value === '' ? t('form.emptyValue') : value)}
          />
        </>
      )}
    />
  );
}
