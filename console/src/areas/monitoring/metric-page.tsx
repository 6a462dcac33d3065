// Every metric of which the organisation has series: what it means, its labels, and PromQL over it.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows, NoMatch } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { lazyPart } from '../../parts/lazy-part.ts';
import { useWindow } from '../../parts/metrics/use-window.ts';
import { WindowBar } from '../../parts/metrics/window-bar.tsx';
import { PlainTable } from '../../parts/plain-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Section } from '../../parts/section.tsx';
import { isKnownMetric } from './known-metrics.ts';
import { QueryPanel } from './query-panel.tsx';
import { useMonitorWords } from './use-monitor-words.ts';

const PromqlField = lazyPart(() => import('../../parts/promql-field.tsx'), 'PromqlField');
const MOST_NAMES = 200;
const EDITOR_PX = 60;

export function MetricPage() {
  const t = useMonitorWords();
  const window = useWindow();
  const [params, setParams] = useSearchParams();
  const [text, setText] = useState(params.get('query') ?? '');
  const asked = params.get('query') ?? '';
  const chosen = params.get('metric');
  const put = (values: Readonly<Record<string, string>>) =>
    setParams((former) => {
      const next = new URLSearchParams(former);
      for (const [name, value] of Object.entries(values)) next.set(name, value);
      return next;
    });
  const run = () => put({ query: text });
  return (
    <>
      <PageHeader title={t('metric.title')} lead={t('metric.lead')}>
        <WindowBar window={window} canShift={false} />
      </PageHeader>
      <Section
        title={t('metric.query')}
        lead={t('metric.queryLead')}
        actions={
          <Button variant="contained" onClick={run} disabled={text.trim() === ''}>
            {t('metric.run')}
          </Button>
        }
      >
        <Suspense fallback={<Skeleton variant="rounded" height={EDITOR_PX} />}>
          <PromqlField label={t('metric.query')} value={text} onChange={setText} onRun={run} />
        </Suspense>
        {asked !== '' && <QueryPanel title={t('metric.result')} query={asked} window={window} />}
      </Section>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 2fr)' },
        }}
      >
        <Names chosen={chosen} onChoose={(name) => put({ metric: name })} />
        {chosen !== null && (
          <Details
            name={chosen}
            onQuery={(query) => {
              setText(query);
              put({ query });
            }}
          />
        )}
      </Box>
    </>
  );
}

function Names({ chosen, onChoose }: { chosen: string | null; onChoose: (name: string) => void }) {
  const t = useMonitorWords();
  const meaningOf = useMeaning();
  const [search, setSearch] = useState('');
  const { data, error, refetch } = useCall(CALLS.listMonitorMetrics, {});
  const wanted = search.trim().toLowerCase();
  const found = (data ?? []).filter((name) => `${name} ${meaningOf(name) ?? ''}`.toLowerCase().includes(wanted));
  return (
    <Section title={t('metric.all')} inGrid>
      <SearchField label={t('metric.search')} value={search} onSearch={setSearch} />
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingRows />
      ) : data.length === 0 ? (
        <EmptyState title={t('metric.none')} />
      ) : found.length === 0 ? (
        <NoMatch onClear={() => setSearch('')} />
      ) : (
        <Paper
          variant="outlined"
          tabIndex={0}
          role="group"
          aria-label={t('metric.all')}
          sx={{ maxHeight: 480, overflowY: 'auto', mt: 1 }}
        >
          <Box component="ul" sx={{ listStyle: 'none', p: 1, m: 0 }}>
            {found.slice(0, MOST_NAMES).map((name) => (
              <Box component="li" key={name} sx={{ py: 0.5 }}>
                <Link
                  component="button"
                  type="button"
                  aria-current={name === chosen}
                  onClick={() => onChoose(name)}
                  sx={{ overflowWrap: 'anywhere', textAlign: 'left' }}
                >
                  {name}
                </Link>
                <Typography variant="body2" color="text.secondary">
                  {meaningOf(name)}
                </Typography>
              </Box>
            ))}
          </Box>
        </Paper>
      )}
    </Section>
  );
}

function Details({ name, onQuery }: { name: string; onQuery: (query: string) => void }) {
  const t = useMonitorWords();
  const meaningOf = useMeaning();
  const { data, error, refetch } = useCall(CALLS.getMonitorMetric, { query: { name } });
  const isCounter = data?.type === 'counter';
  const meaning = meaningOf(name);
  return (
    <Section
      title={name}
      inGrid
      lead={meaning ?? data?.help ?? undefined}
      actions={<Button onClick={() => onQuery(isCounter ? `rate(${name}[5m])` : name)}>{t('metric.draw')}</Button>}
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingRows />
      ) : (
        <>
          <Typography variant="body2">
            {t('metric.type')}: {data.type ?? t('metric.unknown')}
          </Typography>
          {meaning && data.help && (
            <Typography variant="body2" color="text.secondary" lang="en">
              {data.help}
            </Typography>
          )}
          {data.is_cut && <Typography variant="body2">{t('metric.cut')}</Typography>}
          <PlainTable
            label={t('metric.labels')}
            rows={data.labels}
            keyOf={(row) => row.name}
            columns={[
              { label: t('metric.label'), cell: (row) => row.name },
              { label: t('metric.values'), cell: ({ values }) => values.slice(0, 20).join(', ') },
            ]}
          />
        </>
      )}
    </Section>
  );
}

/** Undefined for a metric that only its exporter describes. */
function useMeaning(): (name: string) => string | undefined {
  const t = useMonitorWords();
  return (name) => (isKnownMetric(name) ? t(`meanings.${name}`) : undefined);
}
