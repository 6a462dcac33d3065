// How many replicas of a service were ready over the last hour.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import { HourSection } from '../../../parts/metrics/hour-section.tsx';
import { useDeployWords } from '../use-deploy-words.ts';

const EVERY_MS = 15_000;

export function ReplicaHour({ id }: { id: string }) {
  const t = useDeployWords();
  const { data, error, refetch } = useCall(CALLS.getServiceReplicas, { params: { id } }, { everyMs: EVERY_MS });
  return (
    <Box sx={{ mb: 3 }}>
      {data ? (
        <HourSection
          title={t('replicas.overTime')}
          points={data.ready}
          endTime={data.end_time}
          stepSeconds={data.step_seconds}
          none={t('replicas.noData')}
          textOf={(ready) => t('replicas.ready', { smart_count: ready })}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={1} height={180} />
      )}
    </Box>
  );
}
