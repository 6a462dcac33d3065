// The usage of requests to models: in all, and by model, API token, person or day.

import { USAGE_GROUPS, type UsageGroup, type UsageSumView } from '@gantry/contract/areas/inference/completions.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useList } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { FilterChoice } from '@gantry/ui/table/filter-choice.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { PlainTable } from '../../parts/plain-table.tsx';
import { Section } from '../../parts/section.tsx';
import { StatisticsRow } from '../../parts/statistics-row.tsx';
import { usePeople } from '../../parts/workload/use-people.ts';
import { useModelCallsWords } from './use-model-calls-words.ts';

const DAY_MS = 86_400_000;
const USUAL_DAYS = '30';
const OTHER_DAYS = ['7', '90'] as const;

export function UsagePage() {
  const t = useModelCallsWords();
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string) =>
    setParams((before) => new URLSearchParams([...before].filter(([key]) => key !== name).concat([[name, value]])), {
      replace: true,
    });
  const chosen = OTHER_DAYS.find((one) => one === params.get('days'));
  const days = chosen ?? USUAL_DAYS;
  const group = USAGE_GROUPS.find((one) => one === params.get('by')) ?? 'model';
  const from = useMemo(() => new Date(Date.now() - (Number(days) - 1) * DAY_MS).toISOString().slice(0, 10), [days]);
  const found = useCall(CALLS.getTokenUsage, { query: { from, by: group } }, { keepsPrevious: true });
  const sums = found.data?.sums ?? [];
  // Meanwhile the page keeps its shape, not what it said of another group or of other days.
  const isOther = found.isPlaceholderData;
  const shown = (text: string) => (isOther && found.data?.from !== from ? '–' : text);
  return (
    <>
      <PageHeader title={t('usage.title')} lead={t('usage.lead')}>
        <Box sx={{ width: '12rem' }}>
          <FilterChoice
            label={t('usage.days')}
            any={t('usage.lastDays', { count: USUAL_DAYS })}
            value={chosen ?? ''}
            options={OTHER_DAYS.map((one) => [one, t('usage.lastDays', { count: one })])}
            onChange={(value) => set('days', value)}
          />
        </Box>
      </PageHeader>
      {found.error && !found.data && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <LoadingRows />}
      {found.data && sums.length === 0 && <EmptyState title={t('usage.emptyTitle')} hint={t('usage.emptyHint')} />}
      {found.data && sums.length > 0 && (
        <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <StatisticsRow
            statistics={[
              [t('usage.cost'), shown(rateText(found.data.total.amount, found.data.currency))],
              [t('usage.requests'), shown(numberText(found.data.total.requests))],
              [t('usage.prompt'), shown(numberText(found.data.total.prompt_tokens))],
              [t('usage.cached'), shown(numberText(found.data.total.cached_tokens))],
              [t('usage.completion'), shown(numberText(found.data.total.completion_tokens))],
              [t('usage.estimated'), shown(numberText(found.data.total.estimated_requests))],
            ]}
          />
          <Section
            inGrid
            title={t(`usage.groups.${group}`)}
            lead={found.data.total.estimated_requests > 0 ? t('usage.estimatedHelp') : undefined}
            actions={
              <ToggleButtonGroup
                exclusive
                size="small"
                value={group}
                aria-label={t('usage.groupBy')}
                onChange={(_, chosen: UsageGroup | null) => chosen && set('by', chosen)}
              >
                {USAGE_GROUPS.map((one) => (
                  <ToggleButton key={one} value={one}>
                    {t(`usage.groups.${one}`)}
                  </ToggleButton>
                ))}
              </ToggleButtonGroup>
            }
          >
            {isOther ? <LoadingRows /> : <GroupRows group={group} rows={sums} currency={found.data.currency} />}
          </Section>
        </Box>
      )}
    </>
  );
}

interface GroupRowsProps {
  group: UsageGroup;
  rows: readonly UsageSumView[];
  currency: string;
}

function GroupRows({ group, rows, currency }: GroupRowsProps) {
  const t = useModelCallsWords();
  const nameOf = useNames(group);
  return (
    <PlainTable
      label={t(`usage.groups.${group}`)}
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { label: t(`usage.groups.${group}`), cell: ({ key }) => nameOf(key) },
        { label: t('usage.requests'), cell: ({ requests }) => numberText(requests), isEnd: true },
        { label: t('usage.prompt'), cell: (row) => numberText(row.prompt_tokens), isEnd: true },
        { label: t('usage.cached'), cell: (row) => numberText(row.cached_tokens), isEnd: true },
        { label: t('usage.completion'), cell: (row) => numberText(row.completion_tokens), isEnd: true },
        { label: t('usage.estimated'), cell: (row) => numberText(row.estimated_requests), isEnd: true },
        { label: t('usage.cost'), cell: ({ amount }) => rateText(amount, currency), isEnd: true },
      ]}
    />
  );
}

/** The names of a group's keys, as people know them. */
function useNames(group: UsageGroup): (key: string) => string {
  const t = useModelCallsWords();
  const nameOfPerson = usePeople();
  const { items: tokens, isLoading } = useList(CALLS.listApiTokens, {}, { size: 1000 });
  const { items: deployments } = useList(CALLS.listDeployments, {}, { size: 1000 });
  if (group === 'person') return nameOfPerson;
  if (group === 'day') return (day) => day;
  if (group === 'model') {
    const named = new Map(deployments.map(({ id, name }) => [id, name]));
    return (id) => (named.has(id) ? `${named.get(id)} (${id})` : id);
  }
  const known = new Map(tokens.map(({ id, remark }) => [id, remark]));
  return (key) =>
    key === '' ? t('usage.console') : (known.get(key) ?? (isLoading ? key : t('usage.deleted', { id: key })));
}
