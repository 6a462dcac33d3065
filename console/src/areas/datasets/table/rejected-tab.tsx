// Rows that could not be read, each with its file, line and reason.
import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import { useState } from 'react';
import { useAsked } from '../../../parts/use-asked.ts';
import { useDatasetWords } from '../use-dataset-words.ts';
import { AskedState } from './asked-state.tsx';
import { CellTable } from './cell-table.tsx';
import { OfTable, type TableOf } from './of-table.tsx';
import { PAGE_ROWS, RowPager } from './row-pager.tsx';
import { SaveTable } from './save-table.tsx';

export function RejectedTab({ dataset }: { dataset: DatasetDetailView }) {
  const t = useDatasetWords();
  return (
    <OfTable dataset={dataset} actions={(of) => <SaveTable name={dataset.name} of={of} content="rejected" />}>
      {(of, { rejected }) =>
        rejected === 0 ? (
          <EmptyState title={t('table.noneRejected')} hint={t('table.noneRejectedHint')} />
        ) : (
          <Rejected of={of} />
        )
      }
    </OfTable>
  );
}

function Rejected({ of }: { of: TableOf }) {
  const t = useDatasetWords();
  const [from, setFrom] = useState(0);
  const { data, error, isPreparing, refetch } = useAsked(CALLS.listDatasetRejected, {
    params: { id: of.id, version: `${of.version}` },
    query: { from, size: PAGE_ROWS },
  });
  if (!data || error) return <AskedState error={error} isPreparing={isPreparing} onRetry={() => void refetch()} />;
  return (
    <>
      <RowPager from={from} total={data.total} onTurn={setFrom} />
      <CellTable label={t('tabs.rejected')} answer={data} of={of} />
    </>
  );
}
