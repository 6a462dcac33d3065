// The columns of lists of models.
import type { ModelView } from '@gantry/contract/areas/models/models.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import Link from '@mui/material/Link';
import { useMemo } from 'react';
import { Link as RouterLink } from 'react-router';
import { TwoLines } from '../../parts/two-lines.tsx';
import { ModelChip } from './model-chip.tsx';
import { countText } from './number-text.ts';
import { useModelWords } from './use-model-words.ts';

export function useModelColumns(): readonly Column<ModelView>[] {
  const t = useModelWords();
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
              <Link component={RouterLink} to={`/model/space/${id}`}>
                {name}
              </Link>
            }
            second={license ?? id}
            title={name}
          />
        ),
      },
      {
        id: 'status',
        label: ui('fields.status'),
        width: '8.5rem',
        cell: ({ state }) => <ModelChip state={state} />,
      },
      {
        id: 'structure',
        label: t('fields.structure'),
        width: 'minmax(9rem, 1.5fr)',
        cell: ({ structure, quantisation }) => (
          <TwoLines first={structure ?? ui('states.unknown')} second={quantisation ?? ''} title={structure ?? ''} />
        ),
      },
      {
        id: 'parameters',
        label: t('fields.parameters'),
        width: '7rem',
        align: 'end',
        sort: 'parameters',
        cell: ({ parameters }) => countText(parameters),
      },
      {
        id: 'size',
        label: ui('fields.size'),
        width: '7rem',
        align: 'end',
        cell: ({ size_bytes: size }) => bytesText(size),
      },
      {
        id: 'version',
        label: t('fields.latest'),
        width: '8rem',
        cell: ({ latest_version: latest, version_count: count }) => (
          <TwoLines
            first={latest ?? ui('states.unknown')}
            second={`${t('fields.versions')}: ${count}`}
            title={latest ?? ''}
          />
        ),
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
