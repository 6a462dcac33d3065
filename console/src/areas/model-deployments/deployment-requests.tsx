// The requests to a deployment: how many and how fast, what waits, and their tokens.

import type { DeploymentTrafficView } from '@gantry/contract/areas/inference/completions.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import Typography from '@mui/material/Typography';
import { FactList } from '../../parts/fact-list.tsx';
import { rounded, Traffic, TrafficPanels } from '../../parts/metrics/traffic-panels.tsx';
import { useMetricsWords } from '../../parts/metrics/use-metrics-words.ts';
import { Section } from '../../parts/section.tsx';
import { useDeploymentWords } from './use-deployment-words.ts';

export const DeploymentRequests = ({ id }: { id: string }) => (
  <Traffic read={CALLS.getDeploymentTraffic} id={id}>
    {(traffic) => (
      <TrafficPanels traffic={traffic}>
        <Tokens tokens={traffic.tokens} />
      </TrafficPanels>
    )}
  </Traffic>
);

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
