// The columns of the list: as the specification has them, with progress and cost.
import type { DataProcessView } from '@gantry/contract/kinds/data-process.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import Link from '@mui/material/Link';
import { useMemo } from 'react';
import { Link as RouterLink } from 'react-router';
import { createdColumn, kindColumns } from '../../parts/kind-columns.tsx';
import { TaskTime } from '../../parts/task/task-time.tsx';
import { useTaskWords } from '../../parts/task/use-task-words.ts';
import { TwoLines } from '../../parts/two-lines.tsx';
import { usePeople } from '../../parts/workload/use-people.ts';
import { inRow } from '../../parts/workload/workload-actions.tsx';
import { DatasetLink } from './dataset-link.tsx';
import { pathOf } from './paths.ts';
import { ProcessingActions } from './processing-actions.tsx';
import { UnitProgress } from './unit-progress.tsx';
import { useProcessingWords } from './use-processing-words.ts';

export function useProcessingColumns(): readonly Column<DataProcessView>[] {
  const t = useProcessingWords();
  const task = useTaskWords();
  const ui = useUiWords();
  const nameOfPerson = usePeople();
  return useMemo(() => {
    const versionText = (version: number | null) =>
      version === null ? t('fields.newestVersion') : t('fields.version', { version });
    return kindColumns<DataProcessView>(ui, {
      to: pathOf,
      second: ({ type_label }) => type_label,
      own: [
        {
          id: 'input',
          label: t('fields.input'),
          width: 'minmax(8rem, 1.6fr)',
          cell: ({ input: { dataset, name, version } }) => (
            <TwoLines
              first={<DatasetLink id={dataset} name={name} version={version} />}
              second={versionText(version)}
              title={name ?? dataset}
            />
          ),
        },
        {
          id: 'output',
          label: t('fields.output'),
          width: 'minmax(8rem, 1.6fr)',
          cell: ({ output: { dataset, name, version } }) => (
            <TwoLines
              first={<DatasetLink id={dataset} name={name} version={version} />}
              second={version === null ? '' : t('fields.version', { version })}
              title={name ?? dataset ?? ''}
            />
          ),
        },
        {
          id: 'progress',
          label: task('columns.progress'),
          width: '8rem',
          cell: (row) => (row.queue ? <TaskTime task={row} /> : <UnitProgress progress={row.progress} />),
        },
        {
          id: 'logs',
          label: t('fields.log'),
          width: '4rem',
          cell: (row) => (
            <Link component={RouterLink} to={`${pathOf(row)}/logs`} aria-label={t('fields.logOf', { name: row.name })}>
              {t('fields.log')}
            </Link>
          ),
          isWideOnly: true,
        },
        createdColumn(ui, nameOfPerson),
      ],
      actions: inRow(ProcessingActions),
    });
  }, [t, task, ui, nameOfPerson]);
}
