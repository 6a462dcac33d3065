// When a job runs: at once, or by a schedule, whose meaning and next runs are shown before it is saved.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { LOCALES } from '@gantry/ui/i18n/language.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Alert from '@mui/material/Alert';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useSettled } from '../../../parts/use-settled.ts';
import { FormSection } from '../../../parts/workload/form-section.tsx';
import { OptionCard } from '../../../parts/workload/option-card.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { CONCURRENCIES, type JobValues } from './job-values.ts';
import { useScheduleText } from './use-schedule-text.ts';

const Field = fieldsOf<JobValues>();

const SETTLES_MS = 400;
const FIELDS = 5;
const PRESETS = {
  hourly: '0 * * * *',
  nightly: '0 3 * * *',
  weekdays: '0 9 * * 1-5',
  weekly: '0 3 * * 1',
  monthly: '0 3 1 * *',
};
const CHANGED = { shouldDirty: true, shouldValidate: true } as const;

/** `isFixed`: a job cannot become a schedule, nor a schedule a job. */
export function ExecutionFields({ isFixed }: { isFixed: boolean }) {
  const t = useDeployWords();
  const { control } = useFormContext<JobValues>();
  const [execution, cron] = useWatch({ control, name: ['execution', 'schedule.cron'] });
  if (isFixed && execution === 'immediate') return null;
  return (
    <FormSection
      title={t('schedule.title')}
      summary={[t(`execution.${execution}`), ...(execution === 'scheduled' && cron !== '' ? [cron] : [])].join(': ')}
    >
      {!isFixed && (
        <Controller
          control={control}
          name="execution"
          render={({ field: { ref, ...field } }) => (
            <RadioGroup
              {...field}
              aria-label={t('schedule.title')}
              sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 1 }}
            >
              <OptionCard
                control={<Radio value="immediate" slotProps={{ input: { ref } }} />}
                title={t('execution.immediate')}
                isChosen={execution === 'immediate'}
                lines={[t('schedule.nowHint')]}
              />
              <OptionCard
                control={<Radio value="scheduled" />}
                title={t('execution.scheduled')}
                isChosen={execution === 'scheduled'}
                lines={[t('schedule.laterHint')]}
              />
            </RadioGroup>
          )}
        />
      )}
      {execution === 'scheduled' && <ScheduleFields />}
    </FormSection>
  );
}

function ScheduleFields() {
  const t = useDeployWords();
  const { setValue } = useFormContext<JobValues>();
  return (
    <>
      <Box
        role="group"
        aria-label={t('schedule.presets')}
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}
      >
        <Typography variant="body2" color="text.secondary">
          {t('schedule.presets')}
        </Typography>
        {Object.entries(PRESETS).map(([name, cron]) => (
          <Chip
            key={name}
            label={t(`schedule.preset.${name as keyof typeof PRESETS}`)}
            variant="outlined"
            onClick={() => setValue('schedule.cron', cron, CHANGED)}
          />
        ))}
      </Box>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 }}>
        <Field.Text
          name="schedule.cron"
          label={t('schedule.cron')}
          help={t('schedule.cronHint')}
          isRequired
          autoComplete="off"
          slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: MONO } } }}
        />
        <ZoneField />
      </Box>
      <Preview />
      <Field.Select
        name="schedule.concurrency"
        label={t('schedule.concurrency')}
        options={CONCURRENCIES.map((value) => ({ value, label: t(`schedule.concurrencies.${value}`) }))}
      />
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 }}>
        <Field.Number
          name="schedule.startWithinMinutes"
          label={t('schedule.startWithin')}
          help={t('schedule.startWithinHint')}
          unit={t('units.minutes')}
          range={[1, 1440]}
        />
        <Field.Number name="schedule.keep" label={t('schedule.keep')} help={t('schedule.keepHint')} range={[1, 50]} />
      </Box>
    </>
  );
}

function ZoneField() {
  const t = useDeployWords();
  const { control } = useFormContext<JobValues>();
  return (
    <Controller
      control={control}
      name="schedule.timeZone"
      render={({ field: { value, onChange, onBlur, ref }, fieldState: { error } }) => (
        <Autocomplete
          disableClearable
          options={zonesWith(value)}
          value={value}
          onChange={(_, zone) => onChange(zone)}
          onBlur={onBlur}
          renderInput={(params) => (
            <TextField
              {...params}
              inputRef={ref}
              label={t('schedule.zone')}
              error={error !== undefined}
              helperText={error?.message ?? t('schedule.zoneHint')}
            />
          )}
        />
      )}
    />
  );
}

const zonesWith = (value: string): string[] => [...new Set(['UTC', value, ...Intl.supportedValuesOf('timeZone')])];

/** In the schedule's own zone, as its fields are meant; beside it the reader's time, where that is another. */
function Preview() {
  const t = useDeployWords();
  const language = useLanguage();
  const { control } = useFormContext<JobValues>();
  const { cron, timeZone } = useWatch({ control, name: 'schedule' });
  const meaning = useScheduleText()({ cron, timeZone });
  const { next, error } = useSchedulePreview(cron, timeZone);
  const inZone = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return (
    <Box aria-live="polite">
      {meaning !== undefined && <Typography sx={{ fontWeight: 600 }}>{meaning}</Typography>}
      {error !== undefined && <Alert severity="warning">{error}</Alert>}
      {next?.length === 0 && <Alert severity="warning">{t('schedule.noNext')}</Alert>}
      {next && next.length > 0 && (
        <>
          <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
            {t('schedule.next')}
          </Typography>
          <Box component="ol" sx={{ m: 0, pl: 3, fontSize: 14 }}>
            {next.map((at) => (
              <li key={at}>
                {inZone.format(new Date(at))}{' '}
                <Typography variant="caption" color="text.secondary">
                  {t('schedule.local', { time: timeText(at) })}
                </Typography>
              </li>
            ))}
          </Box>
        </>
      )}
    </Box>
  );
}

/** The next runs of a schedule that is being typed, as the server reckons them; `next` is undefined while nobody has answered. */
function useSchedulePreview(cron: string, timeZone: string): { next?: readonly string[]; error?: string } {
  const may = useMay();
  const body = useSettled({ cron: cron.trim().replace(/\s+/g, ' '), timeZone }, SETTLES_MS);
  const isWhole = body.cron.split(' ').length === FIELDS && timeZone !== '';
  const { data, error } = useCall(
    CALLS.previewSchedule,
    { body },
    { enabled: isWhole && may(CALLS.previewSchedule.id), keepsPrevious: true },
  );
  if (!isWhole) return {};
  return { ...(data && !error && { next: data.next }), ...(error && { error: error.message }) };
}
