// Beside the form of a policy: when it would have fired, and what its notifications say.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { type PolicyValues, policyBody } from './policy-values.ts';
import { TrialResult, type Tried } from './trial-result.tsx';
import { useAlertWords } from './use-alert-words.ts';

/** The policy as it stands in the form is asked about; nothing is saved for it. */
export function PolicyTrial() {
  const t = useAlertWords();
  const { getValues } = useFormContext<PolicyValues>();
  const test = useCommand(CALLS.testPolicy, { success: false });
  const preview = useCommand(CALLS.previewPolicy, { success: false });
  // The values that were tried: the form goes on being changed.
  const [tried, setTried] = useState<Tried>();
  const ask = async () => {
    const values = structuredClone(getValues());
    setTried({ metric: values.metric, rules: values.rules });
    await test.mutateAsync({ body: policyBody(values) as Record<string, unknown> }).catch(() => undefined);
  };
  return (
    <>
      <FormSection title={t('form.test')}>
        <Button variant="outlined" loading={test.isPending} onClick={() => void ask()}>
          {t('form.testButton')}
        </Button>
        {test.data && tried && <TrialResult result={test.data} tried={tried} />}
      </FormSection>
      <FormSection title={t('form.preview')}>
        <Button
          variant="outlined"
          loading={preview.isPending}
          onClick={() => preview.mutate({ body: policyBody(getValues()) as Record<string, unknown> })}
        >
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
