// All that would have to change if a thing were wrong, in the order in which somebody would look at it: what runs comes first.
import type { AffectedView, LineageThing } from '@gantry/contract/areas/lineage/lineage.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { Section } from '../section.tsx';
import { usePartsWords } from '../use-parts-words.ts';
import { ThingName } from './lineage-list.tsx';

export function ImpactList({ thing }: { thing: LineageThing }) {
  const t = usePartsWords();
  const ui = useUiWords();
  const { data, error, refetch } = useCall(CALLS.getLineageImpact, { query: thing });
  const columns = useMemo(
    (): readonly Column<AffectedView>[] => [
      { id: 'name', label: ui('fields.name'), width: 'minmax(12rem, 2fr)', cell: (node) => <ThingName node={node} /> },
      { id: 'kind', label: t('lineage.kind'), width: '10rem', cell: ({ kind }) => t(`lineage.kinds.${kind}`) },
      {
        ...{ id: 'state', label: ui('fields.status'), width: '9.75rem' },
        cell: ({ is_running: isRunning }) =>
          isRunning ? <PhaseChip label={t('lineage.running')} tone="warning" /> : '–',
      },
      {
        ...{ id: 'steps', label: t('lineage.steps'), width: '9rem', align: 'end' },
        cell: ({ level }) => level,
      },
    ],
    [t, ui],
  );
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows />;
  const { nodes, more } = data;
  const present = nodes.filter(({ gone_time: gone }) => gone === null);
  const running = nodes.filter(({ is_running: isRunning }) => isRunning).length;
  return (
    <Section
      title={t('lineage.impact')}
      lead={t('lineage.impactLead', {
        running: `${running}`,
        present: `${present.length}`,
        gone: `${nodes.length - present.length}`,
      })}
    >
      {more && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {t('lineage.more')}
        </Alert>
      )}
      {nodes.length === 0 ? (
        <Typography color="text.secondary">{t('lineage.becameNothing')}</Typography>
      ) : (
        <DataTable
          label={t('lineage.impact')}
          columns={columns}
          list={{
            items: nodes,
            ...{ total: nodes.length, isLoading: false, isLoadingMore: false, hasMore: false, error: null },
            ...{ more: () => {}, again: () => {} },
          }}
          idOf={({ key }) => key}
          nameOf={({ name }) => name}
        />
      )}
    </Section>
  );
}
