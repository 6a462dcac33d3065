// Beside the form of a policy: when it would have fired, and what its notifications say.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useFormContext } from 'react-hook-form';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { type PolicyValues, policyBody } from './policy-values.ts';
import { useAlertWords } from './use-alert-words.ts';

/** The policy as it stands in the form is asked about; nothing is saved for it. */
export function PolicyTrial() {
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
