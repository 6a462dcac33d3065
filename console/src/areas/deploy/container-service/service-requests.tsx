// The requests of a published service: now, over the last hour as charts, and the last ones each.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { TrafficView } from '@gantry/contract/http/published.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import { FactList } from '../../../parts/fact-list.tsx';
import { PlainTable } from '../../../parts/plain-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { HourSection } from './hour-section.tsx';

const EVERY_MS = 15_000;
const TWO = { display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } };

const rounded = (value: number): string => `${Math.round(value * 100) / 100}`;

export function ServiceRequests({ id }: { id: string }) {
  const t = useDeployWords();
  const { data, error, refetch } = useCall(CALLS.getServiceTraffic, { params: { id } }, { everyMs: EVERY_MS });
  if (!data)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={2} height={180} />;
  const { now, hour } = data;
  const ms = (value: number | null) => (value === null ? '–' : t('requests.ms', { ms: rounded(value) }));
  return (
    <>
      <Box sx={TWO}>
        <Section inGrid title={t('requests.now')}>
          <FactList
            facts={[
              { label: t('requests.rate'), value: t('requests.perSecond', { rate: rounded(now.requests_per_second) }) },
              { label: t('requests.inFlight'), value: rounded(now.in_flight) },
              { label: t('requests.waiting'), value: rounded(now.waiting) },
              { label: t('service.lastRequest'), value: timeText(now.last_request_time) },
            ]}
          />
        </Section>
        <Section inGrid title={t('requests.hour')}>
          <FactList
            facts={[
              {
                label: t('requests.count'),
                value: t('requests.split', {
                  all: hour.requests,
                  ok: hour.ok,
                  client: hour.client_errors,
                  server: hour.server_errors,
                }),
              },
              { label: t('requests.checks'), value: `${hour.checks}` },
              { label: t('requests.wakes'), value: `${hour.wakes}` },
              {
                label: t('requests.latency'),
                value: `${ms(hour.p50_ms)} / ${ms(hour.p95_ms)} / ${ms(hour.p99_ms)}`,
              },
            ]}
          />
        </Section>
        <Charts traffic={data} />
      </Box>
      <LastRequests id={id} />
    </>
  );
}

function Charts({ traffic }: { traffic: TrafficView }) {
  const t = useDeployWords();
  const { steps, step_seconds: step } = traffic;
  if (steps.length === 0)
    return (
      <Box sx={{ gridColumn: '1 / -1' }}>
        <EmptyState title={t('requests.noneInHour')} />
      </Box>
    );
  const hour = { endTime: traffic.end_time, stepSeconds: step, none: t('requests.noneInHour') };
  return (
    <>
      <HourSection
        {...hour}
        title={t('requests.rate')}
        points={steps.map(({ requests }) => requests / step)}
        textOf={(value) => t('requests.perSecond', { rate: rounded(value) })}
      />
      <HourSection
        {...hour}
        title={t('requests.p95')}
        points={steps.map(({ p95_ms }) => p95_ms)}
        textOf={(value) => t('requests.ms', { ms: rounded(value) })}
      />
    </>
  );
}

function LastRequests({ id }: { id: string }) {
  const t = useDeployWords();
  const { data } = useCall(CALLS.listServiceRequests, { params: { id } }, { everyMs: EVERY_MS });
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
