// The use of an object of any measured kind, now and over the last hour: a part of it at a time.
import { CALLS, KIND_CALLS } from '@gantry/contract/http/calls.ts';
import type { ObjectUsageView } from '@gantry/contract/kind-api.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { PlainField } from '@gantry/ui/form/plain-field.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import { useId, useState } from 'react';
import { HourSection } from '../metrics/hour-section.tsx';
import { usePartsWords } from '../use-parts-words.ts';

/** The kinds whose objects are measured. */
export type MeasuredKind = {
  [Kind in keyof typeof KIND_CALLS]: (typeof KIND_CALLS)[Kind] extends { usage: unknown } ? Kind : never;
}[keyof typeof KIND_CALLS];

type Series = ObjectUsageView['series'][number];
type Words = ReturnType<typeof usePartsWords>;

const EVERY_MS = 15_000;
const CHART_PX = 180;

interface ObjectUsageProps {
  kind: MeasuredKind;
  id: string;
  /** Its parts are nodes: their root is the node's own. */
  isNodes?: boolean;
}

export function ObjectUsage({ kind, id, isNodes = false }: ObjectUsageProps) {
  const t = usePartsWords();
  const [part, setPart] = useState<string>();
  const choice = useId();
  const query = part === undefined ? {} : { part };
  const { data, error, refetch } = useCall(
    KIND_CALLS[kind].usage,
    { params: { id }, query },
    { everyMs: EVERY_MS, staleMs: EVERY_MS },
  );
  const hasDisks = data?.series.some(({ disk }) => disk !== null) ?? false;
  const disks = useCall(CALLS.listDisks, { query: { page: 1, size: 100 } }, { enabled: hasDisks });
  const nameOf = (disk: string) => disks.data?.items.find((each) => each.id === disk)?.name ?? disk;
  if (!data)
    return error ? (
      <ErrorState
        error={error}
        onRetry={() => {
          // The chosen part may be gone.
          setPart(undefined);
          void refetch();
        }}
      />
    ) : (
      <LoadingRows rows={2} height={CHART_PX} />
    );
  const { parts } = data;
  // Kubelets know nothing of GPUs: their exporter does, and the object's metrics show it.
  const series = data.series.filter(({ name }) => name !== 'gpu');
  if (series.length === 0) return <EmptyState title={t('usage.nothing')} />;
  return (
    <>
      {parts.length > 1 && (
        <Box sx={{ width: { xs: '100%', md: '21rem' }, mb: 2 }}>
          <PlainField id={choice} label={t('usage.part')}>
            <select id={choice} value={data.part ?? ''} onChange={({ target }) => setPart(target.value)}>
              {parts.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </PlainField>
        </Box>
      )}
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
          mb: 3,
        }}
      >
        {series.map((one) => (
          <UsageSeries
            key={`${one.name} ${one.disk}`}
            series={one}
            of={data}
            title={titleOf(one, isNodes, nameOf, t)}
          />
        ))}
      </Box>
    </>
  );
}

function titleOf({ name, disk }: Series, isNodes: boolean, nameOf: (disk: string) => string, t: Words): string {
  if (name === 'disk') return t('usage.disk', { name: disk === null ? '' : nameOf(disk) });
  return t(name === 'root' && isNodes ? 'usage.nodeRoot' : `usage.${name}`);
}

interface UsageSeriesProps {
  series: Series;
  of: Pick<ObjectUsageView, 'end_time' | 'step_seconds'>;
  title: string;
}

function UsageSeries({ series: { unit, now, limit, points }, of, title }: UsageSeriesProps) {
  const t = usePartsWords();
  return (
    <HourSection
      title={title}
      lead={now !== null && limit !== null && nowText(now, limit, unit, t)}
      points={points}
      endTime={of.end_time}
      stepSeconds={of.step_seconds}
      none={now === null ? t('usage.noneInHour') : nowText(now, limit, unit, t)}
      unit={unit}
      textOf={(value) => valueText(value, unit, t)}
    />
  );
}

/** Cores have three decimals at most. */
const rounded = (value: number, unit: Series['unit']): number => Number(value.toFixed(unit === 'cores' ? 3 : 1));

function valueText(value: number, unit: Series['unit'], t: Words): string {
  if (unit === 'bytes') return bytesText(value);
  if (unit === 'cores') return t('usage.cores', { smart_count: rounded(value, unit) });
  return t('usage.percent', { used: rounded(value, unit) });
}

function nowText(now: number, limit: number | null, unit: Series['unit'], t: Words): string {
  if (limit === null || limit === 0 || unit === 'percent') return valueText(now, unit, t);
  const percent = Math.round((now / limit) * 100);
  if (unit === 'bytes') return t('usage.of', { used: bytesText(now), limit: bytesText(limit), percent });
  return t('usage.coresOf', { used: rounded(now, unit), smart_count: rounded(limit, unit), percent });
}
