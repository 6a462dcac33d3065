// What the program of the newest run has logged with MLflow, and how its losses go from step to step.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { CurvePanels } from '../../../parts/curves/curve-panels.tsx';
import { Logged } from '../../../parts/curves/logged.tsx';
import { useCurveWords } from '../../../parts/curves/use-curve-words.ts';
import { Section } from '../../../parts/section.tsx';

const EVERY_MS = 5_000;

export function JobCurve({ job: { id, end_time: end } }: { job: JobView }) {
  const t = useCurveWords();
  // Nothing in the job's state changes with each line.
  const live = end === null ? { everyMs: EVERY_MS } : {};
  const { data, error, refetch } = useCall(CALLS.getJobCurve, { params: { id }, query: {} }, live);
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={2} />;
  return (
    <>
      {data.points.length > 0 && (
        <Box component="section" aria-label={t('curves.title')} sx={{ mb: 3 }}>
          <CurvePanels curve={data} />
        </Box>
      )}
      {data.logged ? (
        <Logged logged={data.logged} />
      ) : (
        <Section title={t('logged.title')}>
          <Typography color="text.secondary">{t('logged.none')}</Typography>
        </Section>
      )}
    </>
  );
}
