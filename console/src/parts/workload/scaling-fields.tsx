// How many replicas serve: a fixed number, or one that follows what there is to do, down to none.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Box from '@mui/material/Box';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { Controller, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { FormRows } from './form-rows.tsx';
import { FormSection } from './form-section.tsx';
import { OptionCard } from './option-card.tsx';
import { METRICS, type ScalingValues } from './scaling-values.ts';
import { useWorkloadWords } from './use-workload-words.ts';

const Field = fieldsOf<ScalingValues>();

const MOST_REPLICAS = 64;
const MOST_METRICS = 5;
const MOST_SCHEDULES = 10;
const MOST_MINUTES = 10_080;
const TWO = { display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 };

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function ScalingFields() {
  const t = useWorkloadWords();
  const { control } = useFormContext<ScalingValues>();
  const [isScaled, replicas, { min, max }] = useWatch({ control, name: ['isScaled', 'replicas', 'autoscaling'] });
  const summary = isScaled ? `${t('scaling.scaled')}: ${min ?? '–'}–${max ?? '–'}` : `${replicas ?? '–'}`;
  return (
    <FormSection title={t('scaling.title')} summary={summary}>
      <Controller
        control={control}
        name="isScaled"
        render={({ field: { value, ref, onChange, onBlur } }) => (
          <RadioGroup
            aria-label={t('scaling.title')}
            value={value ? 'scaled' : 'fixed'}
            onBlur={onBlur}
            onChange={(_, chosen) => onChange(chosen === 'scaled')}
            sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 1 }}
          >
            <OptionCard
              control={<Radio value="fixed" slotProps={{ input: { ref } }} />}
              title={t('scaling.fixed')}
              isChosen={!value}
              lines={[t('scaling.fixedHint')]}
            />
            <OptionCard
              control={<Radio value="scaled" />}
              title={t('scaling.scaled')}
              isChosen={value}
              lines={[t('scaling.scaledHint')]}
            />
          </RadioGroup>
        )}
      />
      {isScaled ? (
        <AutomaticFields />
      ) : (
        <Field.Number
          name="replicas"
          label={t('scaling.title')}
          range={[0, MOST_REPLICAS]}
          isRequired
          sx={{ maxWidth: '16rem' }}
        />
      )}
    </FormSection>
  );
}

function AutomaticFields() {
  const t = useWorkloadWords();
  const { control } = useFormContext<ScalingValues>();
  const min = useWatch({ control, name: 'autoscaling.min' });
  return (
    <>
      <Box sx={TWO}>
        <Field.Number
          name="autoscaling.min"
          label={t('scaling.min')}
          help={min === 0 ? t('scaling.sleeps') : t('scaling.minHint')}
          range={[0, MOST_REPLICAS]}
        />
        <Field.Number name="autoscaling.max" label={t('scaling.max')} range={[1, MOST_REPLICAS]} />
        {min === 0 && (
          <Field.Number
            name="autoscaling.idleSeconds"
            label={t('scaling.idle')}
            help={t('scaling.idleHint')}
            unit={t('units.seconds')}
            range={[30, 86_400]}
          />
        )}
        <Field.Number
          name="autoscaling.scaleDownSeconds"
          label={t('scaling.scaleDown')}
          help={t('scaling.scaleDownHint')}
          unit={t('units.seconds')}
          range={[0, 3600]}
        />
      </Box>
      <MetricFields />
      {min === 0 && (
        <Box sx={TWO}>
          <Field.Number
            name="wake.requests"
            label={t('wake.requests')}
            help={t('wake.requestsHint')}
            range={[1, 1000]}
          />
          <Field.Number
            name="wake.seconds"
            label={t('wake.seconds')}
            help={t('wake.secondsHint')}
            unit={t('units.seconds')}
            range={[1, 600]}
          />
        </Box>
      )}
      <TimedFields />
    </>
  );
}

function MetricFields() {
  const t = useWorkloadWords();
  const { control } = useFormContext<ScalingValues>();
  const rows = useFieldArray({ control, name: 'autoscaling.metrics' });
  const metrics = useWatch({ control, name: 'autoscaling.metrics' });
  return (
    <FormRows
      title={t('metrics.title')}
      hint={t('metrics.hint')}
      rows={rows}
      add={t('metrics.add')}
      most={MOST_METRICS}
      blank={{ type: 'CPU', target: 70, query: '' }}
      cells={(at) => {
        const type = metrics[at]?.type ?? 'CPU';
        return (
          <>
            <Field.Select
              name={`autoscaling.metrics.${at}.type`}
              label={t('metrics.type')}
              help={t(`metrics.hints.${type}`)}
              options={METRICS.map((value) => ({ value, label: t(`metrics.types.${value}`) }))}
            />
            <Field.Number
              name={`autoscaling.metrics.${at}.target`}
              label={t('metrics.target')}
              step="any"
              {...((type === 'CPU' || type === 'GPU') && { unit: '%' })}
            />
            {type === 'PromQL' && (
              <Box sx={{ gridColumn: '1 / -1' }}>
                <Field.Text
                  name={`autoscaling.metrics.${at}.query`}
                  label={t('metrics.query')}
                  sx={{ width: '100%' }}
                  slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: MONO, fontSize: 14 } } }}
                />
              </Box>
            )}
          </>
        );
      }}
    />
  );
}

function TimedFields() {
  const t = useWorkloadWords();
  const { control } = useFormContext<ScalingValues>();
  const rows = useFieldArray({ control, name: 'autoscaling.schedules' });
  return (
    <FormRows
      title={t('timed.title')}
      hint={t('timed.hint')}
      rows={rows}
      add={t('timed.add')}
      most={MOST_SCHEDULES}
      columns={{ xs: '1fr', sm: '1fr 1fr 8rem 7rem' }}
      blank={{ cron: '0 9 * * 1-5', timeZone: ownZone(), minutes: 480, min: 1 }}
      cells={(at) => (
        <>
          <Field.Text name={`autoscaling.schedules.${at}.cron`} label={t('timed.cron')} />
          <Field.Text name={`autoscaling.schedules.${at}.timeZone`} label={t('timed.zone')} />
          <Field.Number
            name={`autoscaling.schedules.${at}.minutes`}
            label={t('timed.minutes')}
            range={[1, MOST_MINUTES]}
          />
          <Field.Number name={`autoscaling.schedules.${at}.min`} label={t('scaling.min')} range={[0, MOST_REPLICAS]} />
        </>
      )}
    />
  );
}
