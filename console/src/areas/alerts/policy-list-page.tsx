// All alert policies of the organisation: their state, and how many alarms fire.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { PolicyView } from '@gantry/contract/kinds/alert-policy.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { CreateButton } from '../../parts/create-button.tsx';
import { kindColumns } from '../../parts/kind-columns.tsx';
import { KindListPage } from '../../parts/kind-list-page.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { PolicyActions } from './policy-actions.tsx';
import { useAlertWords } from './use-alert-words.ts';
import { useMetricLabel } from './use-metric-label.ts';

const SINGLE = ['edit'] as const;

export function PolicyListPage() {
  const t = useAlertWords();
  const columns = usePolicyColumns();
  const create = (
    <CreateButton node="createPolicy" to="/monitor/policy/create">
      {t('policies.create')}
    </CreateButton>
  );
  const head = (
    <>
      <Button component={Link} to="/monitor/contact">
        {t('contacts.page')}
      </Button>
      {create}
    </>
  );
  return (
    <KindListPage
      kind="alertPolicy"
      list={CALLS.listPolicies}
      columns={columns}
      title={t('policies.title')}
      lead={t('policies.lead')}
      search={t('policies.search')}
      single={SINGLE}
      create={head}
      empty={{ title: t('policies.empty'), hint: t('policies.emptyHint'), actions: create }}
    />
  );
}

function usePolicyColumns(): readonly Column<PolicyView>[] {
  const t = useAlertWords();
  const ui = useUiWords();
  const metricLabel = useMetricLabel();
  return useMemo(
    () =>
      kindColumns(ui, {
        to: ({ id }) => `/monitor/policy/${id}`,
        second: ({ id }) => id,
        own: [
          {
            id: 'watches',
            label: t('policies.watches'),
            width: 'minmax(10rem, 2fr)',
            cell: ({ spec }) => <TwoLines first={metricLabel(spec.metric)} second={t(`kinds.${spec.objects.kind}`)} />,
          },
          { id: 'firing', label: t('policies.firing'), width: '6rem', align: 'end', cell: ({ firing }) => firing },
          {
            id: 'evaluated',
            label: t('policies.evaluated'),
            width: '11rem',
            cell: ({ evaluated_time: at }) => (at === null ? t('policies.never') : timeText(at)),
            isWideOnly: true,
          },
        ],
        actions: (row) => <PolicyActions policy={row} shown={1} />,
      }),
    [t, ui, metricLabel],
  );
}
