// When a policy raises an alarm, and when one ends.

import { RULE_TYPES } from '@gantry/contract/alerts/rule-types.ts';
import { alertWords } from '@gantry/contract/alerts/words.ts';
import { ALERT_LEVELS, COMPARISONS } from '@gantry/contract/kinds/alert-policy.ts';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { FormRows } from '../../parts/workload/form-rows.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { NEW_RULE, type PolicyValues } from './policy-values.ts';
import { useAlertWords } from './use-alert-words.ts';

const Field = fieldsOf<PolicyValues>();

const MOST_RULES = 5;

export function WhenFields() {
  const t = useAlertWords();
  const { control } = useFormContext<PolicyValues>();
  const rows = useFieldArray({ control, name: 'rules' });
  const cycles = { range: [1, 60], isRequired: true } as const;
  return (
    <FormSection title={t('form.when')}>
      <FormRows
        title={t('form.rules')}
        isAlone
        {...(rows.fields.length > 1 && { hint: t('form.rulesHint') })}
        rows={rows}
        add={t('form.addRule')}
        most={MOST_RULES}
        canRemove={rows.fields.length > 1}
        columns={{ xs: '1fr 1fr', sm: 'minmax(0, 1.4fr) minmax(0, 1fr) minmax(0, 1fr) minmax(0, 1fr)' }}
        blank={{ ...NEW_RULE, value: undefined }}
        cells={(at) => <RuleFields at={at} />}
      />
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr 1fr' }, gap: 2 }}>
        <Field.Number {...cycles} name="begins.met" label={t('form.met')} />
        <Field.Number {...cycles} name="begins.of" label={t('form.of')} />
        <Field.Number {...cycles} name="endsAfter" label={t('form.endsAfter')} />
      </Box>
    </FormSection>
  );
}

function RuleFields({ at }: { at: number }) {
  const t = useAlertWords();
  const language = useLanguage();
  const { control } = useFormContext<PolicyValues>();
  const type = useWatch({ control, name: `rules.${at}.type` });
  return (
    <>
      <Field.Select
        name={`rules.${at}.type`}
        label={t('form.type')}
        options={RULE_TYPES.map((name) => ({ value: name, label: t(`types.${name}`) }))}
      />
      <Field.Select
        name={`rules.${at}.level`}
        label={t('form.level')}
        options={ALERT_LEVELS.map((name) => ({ value: name, label: alertWords.levels[name][language] }))}
      />
      {type !== 'NoData' && (
        <>
          <Field.Select
            name={`rules.${at}.compare`}
            label={t('form.compare')}
            options={COMPARISONS.map((name) => ({ value: name, label: t(`compare.${name}`) }))}
          />
          <Field.Number name={`rules.${at}.value`} label={t('form.value')} step="any" isRequired />
        </>
      )}
    </>
  );
}
