// The columns of a list of datasets.

import type { DatasetView } from '@gantry/contract/areas/datasets/datasets.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import Link from '@mui/material/Link';
import { useMemo } from 'react';
import { Link as RouterLink } from 'react-router';
import { TwoLines } from '../../parts/two-lines.tsx';
import { DatasetChip } from './dataset-chip.tsx';
import { useDatasetWords } from './use-dataset-words.ts';

export function useDatasetColumns(): readonly Column<DatasetView>[] {
  const t = useDatasetWords();
  const ui = useUiWords();
  return useMemo(
    () => [
      {
        id: 'name',
        label: ui('fields.name'),
        width: 'minmax(10rem, 2fr)',
        sort: 'name',
        cell: ({ id, name, license }) => (
          <TwoLines
            first={
              <Link component={RouterLink} to={`/data/space/${id}`}>
                {name}
              </Link>
            }
            second={license ?? id}
            title={name}
          />
        ),
      },
      {
        id: 'type',
        label: t('fields.type'),
        width: 'minmax(8rem, 1fr)',
        cell: ({ type, format }) => (
          <TwoLines first={t(`types.${type}`)} second={format === null ? '' : t(`formats.${format}`)} />
        ),
      },
      {
        id: 'status',
        label: ui('fields.status'),
        width: '8.5rem',
        cell: ({ state }) => <DatasetChip state={state} />,
      },
      { id: 'rows', label: t('fields.rows'), width: '8rem', align: 'end', cell: ({ rows }) => numberText(rows) },
      {
        id: 'size',
        label: ui('fields.size'),
        width: '7rem',
        align: 'end',
        cell: ({ size_bytes: size }) => bytesText(size),
      },
      {
        id: 'versions',
        label: t('fields.versions'),
        width: '6rem',
        align: 'end',
        cell: ({ version_count: count }) => count,
        isWideOnly: true,
      },
      {
        id: 'downloads',
        label: t('fields.downloads'),
        width: '7rem',
        align: 'end',
        sort: 'downloads',
        cell: ({ downloads }) => downloads,
        isWideOnly: true,
      },
      {
        id: 'updated',
        label: t('fields.updated'),
        width: '11rem',
        sort: 'update_time',
        cell: ({ update_time: time }) => timeText(time),
        isWideOnly: true,
      },
    ],
    [t, ui],
  );
}
