// The requests to an object: now, over the last hour, and as charts.
import type { TrafficView } from '@gantry/contract/areas/container-services/container-services.ts';
import type { Call } from '@gantry/contract/http/call.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import type * as z from 'zod';
import { FactList } from '../fact-list.tsx';
import { Section } from '../section.tsx';
import { HourSection } from './hour-section.tsx';
import { useMetricsWords } from './use-metrics-words.ts';

const TWO = { display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } };

export const rounded = (value: number): string => `${Math.round(value * 100) / 100}`;

/** How often what is shown of requests is read again. */
export const TRAFFIC_EVERY_MS = 15_000;

interface TrafficFacts<View extends TrafficView> extends RouteFacts {
  params: z.ZodObject<{ id: z.ZodString }>;
  answer: { result: z.ZodType<View> };
}

/** The traffic of one object, read again and again. */
export function Traffic<View extends TrafficView>({
  read,
  id,
  children,
}: {
  read: Call<TrafficFacts<View>>;
  id: string;
  children: (traffic: View) => ReactNode;
}) {
  const found = useCall(read as Call<TrafficFacts<TrafficView>>, { params: { id } }, { everyMs: TRAFFIC_EVERY_MS });
  const { data, error, refetch } = found;
  if (data) return children(data as View);
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={2} height={180} />;
}

/** `children` are sections of the same grid. */
export function TrafficPanels({ traffic, children }: { traffic: TrafficView; children?: ReactNode }) {
  const t = useMetricsWords();
  const { now, hour } = traffic;
  const ms = (value: number | null) => (value === null ? '–' : t('traffic.ms', { ms: rounded(value) }));
  return (
    <Box sx={TWO}>
      <Section inGrid title={t('traffic.now')}>
        <FactList
          facts={[
            { label: t('traffic.rate'), value: t('traffic.perSecond', { rate: rounded(now.requests_per_second) }) },
            { label: t('traffic.inFlight'), value: rounded(now.in_flight) },
            { label: t('traffic.waiting'), value: rounded(now.waiting) },
            { label: t('traffic.lastRequest'), value: timeText(now.last_request_time) },
          ]}
        />
      </Section>
      <Section inGrid title={t('traffic.hour')}>
        <FactList
          facts={[
            {
              label: t('traffic.count'),
              value: t('traffic.split', {
                all: hour.requests,
                ok: hour.ok,
                client: hour.client_errors,
                server: hour.server_errors,
              }),
            },
            { label: t('traffic.checks'), value: `${hour.checks}` },
            { label: t('traffic.wakes'), value: `${hour.wakes}` },
            { label: t('traffic.latency'), value: `${ms(hour.p50_ms)} / ${ms(hour.p95_ms)} / ${ms(hour.p99_ms)}` },
          ]}
        />
      </Section>
      {children}
      <Charts traffic={traffic} />
    </Box>
  );
}

function Charts({ traffic }: { traffic: TrafficView }) {
  const t = useMetricsWords();
  const { steps, step_seconds: step } = traffic;
  if (steps.length === 0)
    return (
      <Box sx={{ gridColumn: '1 / -1' }}>
        <EmptyState title={t('traffic.noneInHour')} />
      </Box>
    );
  const hour = { endTime: traffic.end_time, stepSeconds: step, none: t('traffic.noneInHour') };
  return (
    <>
      <HourSection
        {...hour}
        title={t('traffic.rate')}
        points={steps.map(({ requests }) => requests / step)}
        textOf={(value) => t('traffic.perSecond', { rate: rounded(value) })}
      />
      <HourSection
        {...hour}
        title={t('traffic.p95')}
        points={steps.map(({ p95_ms }) => p95_ms)}
        textOf={(value) => t('traffic.ms', { ms: rounded(value) })}
      />
    </>
  );
}
