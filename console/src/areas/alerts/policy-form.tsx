// The form of a policy: what is watched, when that is an alarm, who is notified; and beside it when it would have fired. What most
// policies leave as it is is folded away.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useFormContext } from 'react-hook-form';
import { FormFrame, type SentForm } from '../../parts/workload/form-frame.tsx';
import { PolicyTrial } from './policy-trial.tsx';
import { EMPTY_POLICY, type PolicyValues } from './policy-values.ts';
import { QuietFields } from './quiet-fields.tsx';
import { TEMPLATE_NAMES, TEMPLATES, type TemplateName } from './templates.ts';
import { useAlertWords } from './use-alert-words.ts';
import { WhatFields } from './what-fields.tsx';
import { WhenFields } from './when-fields.tsx';
import { WhoFields } from './who-fields.tsx';

interface PolicyFormProps extends SentForm<PolicyValues> {
  isNew: boolean;
  /** The reader is, or will be, the policy's creator. */
  isMine: boolean;
}

export function PolicyForm({ isNew, isMine, ...props }: PolicyFormProps) {
  const t = useAlertWords();
  return (
    <FormFrame {...props} nameHint={t('form.nameHint')} notice={isNew && <Templates />} beside={<PolicyTrial />}>
      <WhatFields />
      <WhenFields />
      <WhoFields isMine={isMine} />
      <QuietFields />
    </FormFrame>
  );
}

function Templates() {
  const t = useAlertWords();
  const { reset, getValues } = useFormContext<PolicyValues>();
  const choose = (name: TemplateName) => {
    const { displayName, objects } = getValues();
    const template = TEMPLATES[name];
    // Objects that were chosen are of their kind alone.
    const kept = objects.kind === template.objects.kind ? { objects } : {};
    reset(structuredClone({ ...EMPTY_POLICY, ...template, ...kept, displayName: displayName || name }) as PolicyValues);
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
