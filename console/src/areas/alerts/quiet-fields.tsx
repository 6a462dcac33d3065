// How many notifications there are of one alarm, when there are none, and until when the policy holds.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { Controller, useFieldArray, useFormContext } from 'react-hook-form';
import { FormMoment } from '../../parts/form-moment.tsx';
import { FormFold } from '../../parts/workload/form-fold.tsx';
import { FormRows } from '../../parts/workload/form-rows.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { EMPTY_POLICY, type PolicyValues } from './policy-values.ts';
import { useAlertWords } from './use-alert-words.ts';
import { PAIR } from './what-fields.tsx';

const Field = fieldsOf<PolicyValues>();

const MOST_SILENCES = 10;
const MOST_MINUTES = 10_080;
const NIGHT = { cron: '0 22 * * *', minutes: 480 };
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function QuietFields() {
  const t = useAlertWords();
  const { control } = useFormContext<PolicyValues>();
  return (
    <FormSection title={t('form.quiet')}>
      <FormFold title={t('form.convergence')} names={['convergence'] as const} unset={EMPTY_POLICY}>
        <Box sx={PAIR}>
          <Field.Number
            name="convergence.waitSeconds"
            label={t('form.wait')}
            help={t('form.waitHint')}
            unit={t('form.seconds')}
            range={[0, 3600]}
            isRequired
          />
          <Field.Number
            name="convergence.repeatMinutes"
            label={t('form.repeat')}
            help={t('form.repeatHint')}
            unit={t('form.minutes')}
            range={[0, MOST_MINUTES]}
            isRequired
          />
          <Field.Number
            name="convergence.mostPerHour"
            label={t('form.perHour')}
            help={t('form.perHourHint')}
            range={[1, 1000]}
            isRequired
          />
        </Box>
      </FormFold>
      <FormFold title={t('form.silences')} names={['silences', 'mutedUntil'] as const} unset={EMPTY_POLICY}>
        <FormMoment control={control} name="mutedUntil" label={t('form.mutedUntil')} help={t('form.mutedUntilHint')} />
        <SilenceFields />
      </FormFold>
      <FormFold title={t('form.validity')} names={['validUntil', 'state'] as const} unset={EMPTY_POLICY}>
        <FormMoment control={control} name="validUntil" label={t('form.validUntil')} help={t('form.validUntilHint')} />
        <StateField />
      </FormFold>
    </FormSection>
  );
}

function SilenceFields() {
  const t = useAlertWords();
  const { control } = useFormContext<PolicyValues>();
  const rows = useFieldArray({ control, name: 'silences' });
  return (
    <FormRows
      title={t('form.recurring')}
      hint={t('form.recurringHint')}
      rows={rows}
      add={t('form.addSilence')}
      most={MOST_SILENCES}
      columns={{ xs: '1fr', sm: '1fr 1fr 9rem' }}
      blank={{ ...NIGHT, timeZone: ownZone() }}
      cells={(at) => (
        <>
          <Field.Text name={`silences.${at}.cron`} label={t('form.cron')} isRequired />
          <Field.Text name={`silences.${at}.timeZone`} label={t('form.zone')} isRequired />
          <Field.Number
            name={`silences.${at}.minutes`}
            label={t('form.lasts')}
            unit={t('form.minutes')}
            range={[1, MOST_MINUTES]}
            isRequired
          />
        </>
      )}
    />
  );
}

function StateField() {
  const t = useAlertWords();
  const { control } = useFormContext<PolicyValues>();
  return (
    <Controller
      control={control}
      name="state"
      render={({ field: { value, ref, onChange, onBlur } }) => (
        <FormControlLabel
          control={
            <Checkbox
              checked={value === 'Enabled'}
              onChange={(_, isEnabled) => onChange(isEnabled ? 'Enabled' : 'Disabled')}
              onBlur={onBlur}
              slotProps={{ input: { ref } }}
            />
          }
          label={t('form.isEnabled')}
        />
      )}
    />
  );
}
