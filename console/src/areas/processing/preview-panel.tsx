// What the task would do on the first rows, and what the whole would take: units, tokens and money, with the arithmetic. It is asked
// for, and says when the form has changed since. No model is asked for it, and nothing is charged.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useAsked } from '../../parts/use-asked.ts';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { Estimate } from './estimate.tsx';
import { PreviewRows } from './preview-rows.tsx';
import { type ProcessValues, previewBody } from './processing-values.ts';
import { useProcessingWords } from './use-processing-words.ts';

type Body = ReturnType<typeof previewBody>;

export function PreviewPanel() {
  const t = useProcessingWords();
  const may = useMay();
  const values = useFormContext<ProcessValues>().watch();
  const [asked, setAsked] = useState<Body>();
  const now = previewBody(values);
  const isOutdated = asked !== undefined && JSON.stringify(asked) !== JSON.stringify(now);
  if (!may(CALLS.previewDataProcess.id)) return null;
  const canAsk = values.input.dataset !== '';
  return (
    <FormSection title={t('preview.title')} hint={t('preview.lead')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <Button
          variant="outlined"
          disabled={!canAsk || (asked !== undefined && !isOutdated)}
          onClick={() => setAsked(now)}
        >
          {t(asked === undefined ? 'preview.show' : 'preview.again')}
        </Button>
        <Typography variant="body2" color="text.secondary" role="status">
          {!canAsk ? t('preview.incomplete') : isOutdated ? t('preview.outdated') : ''}
        </Typography>
      </Box>
      {asked && <Preview body={asked} budget={values.maxTokens} />}
    </FormSection>
  );
}

function Preview({ body, budget }: { body: Body; budget: number | undefined }) {
  const t = useProcessingWords();
  const { data, error, isPreparing, isPlaceholderData, refetch } = useAsked(CALLS.previewDataProcess, {
    body,
  });
  if (isPreparing)
    return (
      <Alert severity="info" role="status">
        {t('preview.preparing', { percent: error?.args.percent ?? 0 })}
      </Alert>
    );
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  // Rows of other parameters would be taken for these.
  if (!data || isPlaceholderData) return <LoadingRows rows={3} height={40} />;
  return (
    <>
      <Estimate preview={data} budget={budget} />
      <PreviewRows preview={data} />
    </>
  );
}
