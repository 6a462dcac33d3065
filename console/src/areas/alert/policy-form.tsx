// The form of a policy: what is watched, when that is an alarm, who is notified; and beside it when it would have fired.
import { ALERT_METRIC_NAMES, ALERT_METRICS, WATCHED_KINDS } from '@gantry/contract/alerts/metrics.ts';
import { alertWords } from '@gantry/contract/alerts/words.ts';
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { AGGREGATIONS, ALERT_LEVELS, COMPARISONS, RULE_TYPES } from '@gantry/contract/kinds/alert-policy.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormCheckbox, FormNumber, FormSelect, FormText } from '@gantry/ui/form/fields.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { LANGUAGE_NAMES } from '@gantry/ui/i18n/language.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useFormContext, useWatch } from 'react-hook-form';
import { FormFrame, type SentForm } from '../../parts/workload/form-frame.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { EMPTY_POLICY, type PolicyValues, policyBody } from './policy-values.ts';
import { TEMPLATE_NAMES, TEMPLATES, type TemplateName } from './templates.ts';
import { useAlertWords } from './use-alert-words.ts';

const PAIR = { display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 } as const;

export function PolicyForm({ isNew, ...props }: SentForm<PolicyValues> & { isNew: boolean }) {
  const t = useAlertWords();
  return (
    <FormFrame {...props} nameHint={t('form.nameHint')} notice={isNew && <Templates />} beside={<Beside />}>
      <WhatFields />
      <WhenFields />
      <WhoFields />
    </FormFrame>
  );
}

function Templates() {
  const t = useAlertWords();
  const { reset, getValues } = useFormContext<PolicyValues>();
  const choose = (name: TemplateName) => {
    const { displayName, kind, names } = getValues();
    // Objects that were named are of their kind alone.
    const kept = kind === TEMPLATES[name].kind ? { names } : {};
    reset({ ...EMPTY_POLICY, ...TEMPLATES[name], ...kept, displayName: displayName || name });
  };
  return (
    <Box role="group" aria-label={t('form.template')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {TEMPLATE_NAMES.map((name) => (
        <Button key={name} size="small" variant="outlined" onClick={() => choose(name)}>
          {t(`form.templates.${name}`)}
        </Button>
      ))}
    </Box>
  );
}

function WhatFields() {
  const t = useAlertWords();
  const language = useLanguage();
  const { control } = useFormContext<PolicyValues>();
  const [kind, metric] = useWatch({ control, name: ['kind', 'metric'] });
  const metrics = ALERT_METRIC_NAMES.filter((name) => name === metric || ALERT_METRICS[name].kinds.includes(kind));
  return (
    <FormSection title={t('form.what')}>
      <Box sx={PAIR}>
        <FormSelect
          control={control}
          name="kind"
          label={t('form.kind')}
          options={WATCHED_KINDS.map((name) => ({ value: name, label: t(`kinds.${name}`) }))}
        />
        <FormText
          control={control}
          name="names"
          label={t('form.names')}
          help={t('form.namesHint')}
          autoComplete="off"
        />
        <FormSelect
          control={control}
          name="metric"
          label={t('form.metric')}
          options={[
            ...metrics.map((name) => ({ value: name, label: ALERT_METRICS[name][language] })),
            { value: '', label: t('form.own') },
          ]}
        />
        <FormSelect
          control={control}
          name="aggregation"
          label={t('form.aggregation')}
          options={AGGREGATIONS.map((name) => ({ value: name, label: t(`form.aggregations.${name}`) }))}
        />
        <FormNumber
          control={control}
          name="periodSeconds"
          label={t('form.period')}
          unit={t('form.seconds')}
          min={15}
          max={3600}
          step={15}
          isRequired
        />
        <FormText
          control={control}
          name="groupBy"
          label={t('form.groupBy')}
          help={t('form.groupByHint')}
          autoComplete="off"
        />
      </Box>
      {metric === '' && (
        <FormText
          control={control}
          name="query"
          label={t('form.query')}
          help={t('form.queryHint')}
          multiline
          isRequired
        />
      )}
    </FormSection>
  );
}

function WhenFields() {
  const t = useAlertWords();
  const language = useLanguage();
  const { control } = useFormContext<PolicyValues>();
  const type = useWatch({ control, name: 'type' });
  const cycles = { control, min: 1, max: 60, step: 1, isRequired: true } as const;
  return (
    <FormSection title={t('form.when')}>
      <Box sx={PAIR}>
        <FormSelect
          control={control}
          name="type"
          label={t('form.type')}
          options={RULE_TYPES.map((name) => ({ value: name, label: t(`types.${name}`) }))}
        />
        <FormSelect
          control={control}
          name="level"
          label={t('form.level')}
          options={ALERT_LEVELS.map((name) => ({ value: name, label: alertWords.levels[name][language] }))}
        />
        {type !== 'NoData' && (
          <>
            <FormSelect
              control={control}
              name="compare"
              label={t('form.compare')}
              options={COMPARISONS.map((name) => ({ value: name, label: t(`compare.${name}`) }))}
            />
            <FormNumber control={control} name="value" label={t('form.value')} step="any" isRequired />
          </>
        )}
        <FormNumber {...cycles} name="met" label={t('form.met')} />
        <FormNumber {...cycles} name="of" label={t('form.of')} />
        <FormNumber {...cycles} name="endsAfter" label={t('form.endsAfter')} />
      </Box>
    </FormSection>
  );
}

function WhoFields() {
  const t = useAlertWords();
  const { control } = useFormContext<PolicyValues>();
  const { data: contacts = [] } = useCall(CALLS.listAlertContacts, {});
  const [mail, chosen] = useWatch({ control, name: ['mail', 'contact'] });
  const known = contacts.map(({ type, name }) => ({ value: `${type}/${name}`, label: `${type}: ${name}` }));
  // One that is chosen, and is not listed (yet), stays chosen.
  const isListed = chosen === '' || known.some(({ value }) => value === chosen);
  return (
    <FormSection title={t('form.who')}>
      <FormCheckbox control={control} name="bell" label={t('form.bell')} />
      <FormCheckbox control={control} name="mail" label={t('form.mail')} />
      <Box sx={PAIR}>
        {mail && (
          <FormText
            control={control}
            name="mailTo"
            label={t('form.mailTo')}
            help={t('form.mailToHint')}
            autoComplete="off"
          />
        )}
        <FormSelect
          control={control}
          name="contact"
          label={t('form.contact')}
          options={[
            { value: '', label: t('form.noContact') },
            ...known,
            ...(isListed ? [] : [{ value: chosen, label: chosen }]),
          ]}
        />
        {chosen !== '' && (
          <FormSelect
            control={control}
            name="language"
            label={t('form.language')}
            options={[
              { value: '', label: t('form.creators') },
              ...LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] })),
            ]}
          />
        )}
        <FormNumber
          control={control}
          name="repeatMinutes"
          label={t('form.repeat')}
          help={t('form.repeatHint')}
          unit={t('form.minutes')}
          min={0}
          max={10_080}
          step={1}
          isRequired
        />
      </Box>
      <FormText
        control={control}
        name="content"
        label={t('form.content')}
        help={t('form.contentHint')}
        multiline
        autoComplete="off"
      />
    </FormSection>
  );
}

/** The policy as it stands in the form is asked about; nothing is saved for it. */
function Beside() {
  const t = useAlertWords();
  const { getValues } = useFormContext<PolicyValues>();
  const test = useCommand(CALLS.testPolicy, { success: false });
  const preview = useCommand(CALLS.previewPolicy, { success: false });
  const body = () => policyBody(getValues()) as Record<string, unknown>;
  const count = test.data?.alarms.length ?? 0;
  return (
    <>
      <FormSection title={t('form.test')}>
        <Button variant="outlined" loading={test.isPending} onClick={() => test.mutate({ body: body() })}>
          {t('form.testButton')}
        </Button>
        {test.data && (
          <Alert severity={count === 0 ? 'info' : 'warning'}>
            {count === 0 ? t('form.testNone') : t('form.testCount', { count, smart_count: count })}
            {test.data.alarms.slice(0, 10).map(({ object, start_time: start, end_time: end }) => (
              <Typography key={`${object} ${start}`} variant="body2">
                {[object ?? '', timeText(start), '–', end === null ? t('form.testNow') : timeText(end)].join(' ')}
              </Typography>
            ))}
          </Alert>
        )}
      </FormSection>
      <FormSection title={t('form.preview')}>
        <Button variant="outlined" loading={preview.isPending} onClick={() => preview.mutate({ body: body() })}>
          {t('form.previewButton')}
        </Button>
        {preview.data && (
          <Box sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            <strong>{preview.data.fired.title}</strong>
            <Typography variant="body2">{preview.data.fired.text}</Typography>
          </Box>
        )}
      </FormSection>
    </>
  );
}
