// How the training has gone from step to step, over the runs that went on from each other, and what its program has logged.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { CurvePanels } from '../../parts/curves/curve-panels.tsx';
import { Logged } from '../../parts/curves/logged.tsx';
import { useCurveWords } from '../../parts/curves/use-curve-words.ts';
import { Section } from '../../parts/section.tsx';

const CHART_PX = 260;

export function Curves({ id }: { id: string }) {
  const t = useCurveWords();
  const { data, error, refetch } = useCall(CALLS.getFineTuneCurve, { params: { id } });
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRows rows={2} height={CHART_PX} />
    );
  if (data.points.length === 0)
    return (
      <>
        <Section title={t('curves.title')}>
          <Typography color="text.secondary">{t('curves.none')}</Typography>
        </Section>
        {data.logged && <Logged logged={data.logged} />}
      </>
    );
  return (
    <Box component="section" aria-label={t('curves.title')} sx={{ mb: 3 }}>
      <CurvePanels curve={data} />
      {data.logged && <Logged logged={data.logged} />}
    </Box>
  );
}
