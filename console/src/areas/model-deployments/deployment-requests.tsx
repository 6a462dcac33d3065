// The requests to a deployment: how many and how fast, what waits, and their tokens.

import type { DeploymentTrafficView } from '@gantry/contract/areas/inference/completions.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Typography from '@mui/material/Typography';
import { FactList } from '../../parts/fact-list.tsx';
import { rounded, TrafficPanels } from '../../parts/metrics/traffic-panels.tsx';
import { useMetricsWords } from '../../parts/metrics/use-metrics-words.ts';
import { Section } from '../../parts/section.tsx';
import { useDeploymentWords } from './use-deployment-words.ts';

const EVERY_MS = 15_000;

export function DeploymentRequests({ id }: { id: string }) {
  const { data, error, refetch } = useCall(CALLS.getDeploymentTraffic, { params: { id } }, { everyMs: EVERY_MS });
  if (!data)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={2} height={180} />;
  return (
    <TrafficPanels traffic={data}>
      <Tokens tokens={data.tokens} />
    </TrafficPanels>
  );
}

function Tokens({ tokens }: Pick<DeploymentTrafficView, 'tokens'>) {
  const t = useDeploymentWords();
  const metrics = useMetricsWords();
  const none = t('tokens.none');
  const ms = (value: number | null) => (value === null ? none : metrics('traffic.ms', { ms: rounded(value) }));
  const count = (of: 'prompt' | 'completion') => (tokens ? t('tokens.count', { count: `${tokens[of]}` }) : none);
  return (
    <Section inGrid title={t('tokens.title')}>
      <FactList
        facts={[
          {
            label: t('tokens.speed'),
            value: tokens ? t('tokens.perSecond', { rate: rounded(tokens.per_second) }) : none,
          },
          {
            label: t('tokens.first'),
            value:
              tokens === null || tokens.first_p50_ms === null
                ? none
                : `${ms(tokens.first_p50_ms)} / ${ms(tokens.first_p95_ms)}`,
          },
          { label: t('tokens.read'), value: count('prompt') },
          {
            label: t('tokens.cached'),
            value:
              tokens === null || tokens.prompt === 0
                ? none
                : t('tokens.share', { percent: rounded((100 * tokens.cached) / tokens.prompt) }),
          },
          { label: t('tokens.written'), value: count('completion') },
        ]}
      />
      <Typography variant="body2" color="text.secondary">
        {t('tokens.firstHint')}
      </Typography>
    </Section>
  );
}
