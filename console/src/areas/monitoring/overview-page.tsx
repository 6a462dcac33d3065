// The current use of the organisation's resources: by GPU model with its cost, card by card, and object by object.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { moneyText, rateText } from '@gantry/ui/format/money.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { PlainTable } from '../../parts/plain-table.tsx';
import { Section } from '../../parts/section.tsx';
import { CardMap } from './card-map.tsx';
import { modelsOf } from './models-of.ts';
import { ObjectLink } from './object-link.tsx';
import { useMonitorWords } from './use-monitor-words.ts';
import { useObjects } from './use-objects.ts';

const EVERY_MS = 15_000;

export function OverviewPage() {
  const t = useMonitorWords();
  const { data, error, refetch } = useCall(
    CALLS.monitorHomeQuery,
    { body: {} },
    { everyMs: EVERY_MS, staleMs: EVERY_MS },
  );
  const specs = useCall(CALLS.listGpuSpecs, { query: {} });
  const { nameOf } = useObjects();
  const offered = Map.groupBy(specs.data ?? [], ({ gpu_type: type }) => type);
  const currency = specs.data?.find(({ price }) => price)?.price?.currency ?? '';
  const factsOf = (type: string) => {
    const all = offered.get(type);
    if (!all) return undefined;
    const sum = (field: 'free' | 'total') => all.reduce((before, spec) => before + spec[field], 0);
    const price = all.find((spec) => spec.price)?.price;
    return { price: price ? Number(price.amount) : undefined, free: sum('free'), total: sum('total') };
  };
  const percent = (value: number | null) => (value === null ? t('noData') : t('percent', { value: Math.round(value) }));
  const money = (amount: number | null) => (amount === null ? t('noData') : moneyText(amount.toFixed(2), currency));
  return (
    <>
      <PageHeader title={t('overview.title')} lead={t('overview.lead')}>
        <Button component={Link} to="/monitor/dashboard/all">
          {t('dashboards.title')}
        </Button>
      </PageHeader>
      {!data ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRows rows={4} height={120} />
        )
      ) : (
        <>
          <Section title={t('overview.models')} lead={t('overview.modelsLead', { time: timeText(data.time) })}>
            {data.cards.length === 0 ? (
              <EmptyState title={t('overview.noCards')} />
            ) : (
              <PlainTable
                label={t('overview.models')}
                rows={modelsOf(data.cards, factsOf)}
                keyOf={({ model }) => model}
                columns={[
                  { label: t('overview.model'), cell: ({ model }) => model },
                  { label: t('overview.cards'), cell: ({ cards }) => cards, isEnd: true },
                  { label: t('overview.utilization'), cell: ({ utilization }) => percent(utilization), isEnd: true },
                  { label: t('overview.idle'), cell: ({ idle }) => idle, isEnd: true },
                  { label: t('overview.perHour'), cell: ({ perHour }) => money(perHour), isEnd: true },
                  { label: t('overview.idlePerHour'), cell: ({ idlePerHour }) => money(idlePerHour), isEnd: true },
                  {
                    label: t('overview.stock'),
                    cell: ({ stock }) => (stock ? t('overview.freeOf', stock) : '–'),
                    isEnd: true,
                  },
                ]}
              />
            )}
          </Section>
          {data.cards.length > 0 && (
            <Section title={t('overview.map')} lead={t('overview.mapLead')}>
              <CardMap cards={data.cards} nameOf={({ type, object }) => nameOf(type, object)} />
            </Section>
          )}
          <Section title={t('overview.objects')} lead={t('overview.objectsLead')}>
            {data.objects.length === 0 ? (
              <EmptyState title={t('overview.noObjects')} />
            ) : (
              <PlainTable
                label={t('overview.objects')}
                rows={data.objects}
                keyOf={({ type, object }) => `${type}/${object}`}
                columns={[
                  {
                    label: t('overview.object'),
                    cell: ({ type, object }) => <ObjectLink type={type} id={object} name={nameOf(type, object)} />,
                  },
                  { label: t('overview.type'), cell: ({ type }) => t(`types.${type}`) },
                  {
                    label: t('overview.cpu'),
                    cell: ({ cpu }) =>
                      cpu === null ? t('noData') : t('cores', { smart_count: Number(cpu.toFixed(2)) }),
                    isEnd: true,
                  },
                  {
                    label: t('overview.memory'),
                    cell: ({ memory }) => (memory === null ? t('noData') : bytesText(memory)),
                    isEnd: true,
                  },
                  { label: t('overview.cards'), cell: ({ cards }) => cards, isEnd: true },
                  {
                    label: t('overview.perHour'),
                    cell: ({ per_hour: amount }) => (amount === null ? '–' : rateText(amount, data.currency)),
                    isEnd: true,
                  },
                  {
                    label: t('overview.utilization'),
                    cell: ({ gpu, cards }) => (cards === 0 ? '–' : percent(gpu)),
                    isEnd: true,
                  },
                ]}
              />
            )}
          </Section>
        </>
      )}
    </>
  );
}
