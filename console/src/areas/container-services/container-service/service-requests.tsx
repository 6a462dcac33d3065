// The requests of a published service: now, over the last hour, and the last ones each.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import Box from '@mui/material/Box';
import { rounded, TRAFFIC_EVERY_MS, Traffic, TrafficPanels } from '../../../parts/metrics/traffic-panels.tsx';
import { PlainTable } from '../../../parts/plain-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { useDeployWords } from '../use-deploy-words.ts';

export const ServiceRequests = ({ id }: { id: string }) => (
  <Traffic read={CALLS.getServiceTraffic} id={id}>
    {(traffic) => (
      <>
        <TrafficPanels traffic={traffic} />
        <LastRequests id={id} />
      </>
    )}
  </Traffic>
);

function LastRequests({ id }: { id: string }) {
  const t = useDeployWords();
  const { data } = useCall(CALLS.listServiceRequests, { params: { id } }, { everyMs: TRAFFIC_EVERY_MS });
  if (!data || data.length === 0) return null;
  return (
    <Box sx={{ mt: 3 }}>
      <Section title={t('requests.last')}>
        <PlainTable
          label={t('requests.last')}
          rows={data.map((row, at) => ({ ...row, at }))}
          keyOf={({ at }) => at}
          columns={[
            { label: t('requests.time'), cell: ({ time }) => timeText(time) },
            { label: t('requests.status'), cell: ({ status }) => status },
            { label: t('requests.method'), cell: ({ method }) => method },
            { label: t('requests.path'), cell: ({ path }) => path },
            { label: t('requests.took'), cell: ({ ms }) => t('requests.ms', { ms: rounded(ms) }), isEnd: true },
            { label: t('requests.replica'), cell: ({ replica }) => replica ?? t('requests.gateway') },
          ]}
        />
      </Section>
    </Box>
  );
}
