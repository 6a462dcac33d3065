// The alert centre: alarms of all policies, or of one.
import { alertWords } from '@gantry/contract/alerts/words.ts';
import type { AlarmView } from '@gantry/contract/areas/alerts/alerts.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { countdownText, localTimes, timeText } from '@gantry/ui/format/time.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { FilterChoice } from '@gantry/ui/table/filter-choice.tsx';
import { useFilters } from '@gantry/ui/table/use-filters.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { EmptyState, NoMatch } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { usePagedRows } from '../../parts/list-rows.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { ALARM_TONES } from './alarm-tones.ts';
import { useAlertWords } from './use-alert-words.ts';

export function AlarmListPage() {
  const t = useAlertWords();
  const ui = useUiWords();
  const language = useLanguage();
  const columns = useAlarmColumns();
  const filters = useFilters(['status', 'level', 'policy'], { by: 'first_abnormal_time', type: 'desc' });
  const { list, foot } = usePagedRows(CALLS.listAlerts, filters.values);
  const options = (rows: Readonly<Record<string, { en: string; zh: string; ja: string }>>) =>
    Object.entries(rows).map(([name, words]) => [name, words[language]] as const);
  return (
    <>
      <PageHeader title={t('alarms.title')} lead={t('alarms.lead')} />
      <Box role="search" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, mb: 2 }}>
        <Box sx={{ width: '12rem' }}>
          <FilterChoice
            label={t('alarms.status')}
            any={t('alarms.anyStatus')}
            value={filters.values.status ?? ''}
            options={options(alertWords.statuses)}
            onChange={(value) => filters.set('status', value)}
          />
        </Box>
        <Box sx={{ width: '12rem' }}>
          <FilterChoice
            label={t('alarms.level')}
            any={t('alarms.anyLevel')}
            value={filters.values.level ?? ''}
            options={options(alertWords.levels)}
            onChange={(value) => filters.set('level', value)}
          />
        </Box>
        {filters.isFiltered && <Button onClick={filters.clear}>{ui('states.clearFilter')}</Button>}
      </Box>
      <DataTable
        label={t('alarms.title')}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ content }) => localTimes(content)}
        empty={
          filters.isFiltered ? (
            <NoMatch onClear={filters.clear} />
          ) : (
            <EmptyState title={t('alarms.empty')} hint={t('alarms.emptyHint')} />
          )
        }
      />
      {foot}
    </>
  );
}

function useAlarmColumns(): readonly Column<AlarmView>[] {
  const t = useAlertWords();
  return useMemo(
    () => [
      {
        id: 'content',
        label: t('alarms.content'),
        width: 'minmax(14rem, 3fr)',
        cell: ({ id, content, strategy }) => (
          <TwoLines
            first={<Link to={`/monitor/alarm/${id}`}>{localTimes(content)}</Link>}
            second={strategy.name}
            title={localTimes(content)}
          />
        ),
      },
      {
        id: 'status',
        label: t('alarms.status'),
        width: '8rem',
        cell: ({ status, status_label: label }) => (
          <PhaseChip label={label} tone={ALARM_TONES[status]} message={null} />
        ),
      },
      { id: 'level', label: t('alarms.level'), width: '7rem', cell: ({ level_label: label }) => label },
      {
        id: 'began',
        label: t('alarms.began'),
        width: '11rem',
        cell: ({ first_abnormal_time: at, duration_seconds: seconds }) => (
          <TwoLines first={timeText(at)} second={countdownText(seconds * 1000)} />
        ),
      },
    ],
    [t],
  );
}
