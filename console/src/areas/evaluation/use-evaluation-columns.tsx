// The columns of the list: what is evaluated on what, how far it is, and the first score once there is one.
import type { EvaluationView } from '@gantry/contract/kinds/evaluation.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { useMemo } from 'react';
import { createdColumn, kindColumns } from '../../parts/kind-columns.tsx';
import { TaskTime } from '../../parts/task/task-time.tsx';
import { useTaskWords } from '../../parts/task/use-task-words.ts';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useNameOf, useReadableDatasets } from '../../parts/use-names.ts';
import { usePeople } from '../../parts/workload/use-people.ts';
import { inRow } from '../../parts/workload/workload-actions.tsx';
import { EvaluationActions } from './evaluation-actions.tsx';
import { ProgressText } from './evaluation-progress.tsx';
import { pathOf } from './paths.ts';
import { SubjectName } from './subject-name.tsx';
import { nameOfTask } from './task-name.ts';
import { useSubjectName } from './use-deployments.ts';
import { useEvaluationWords } from './use-evaluation-words.ts';
import { useFigures } from './use-figures.ts';

export function useEvaluationColumns(): readonly Column<EvaluationView>[] {
  const t = useEvaluationWords();
  const task = useTaskWords();
  const ui = useUiWords();
  const figures = useFigures();
  const nameOfPerson = usePeople();
  const nameOfSubject = useSubjectName();
  const nameOfDataset = useNameOf(useReadableDatasets());
  return useMemo(
    () =>
      kindColumns<EvaluationView>(ui, {
        to: pathOf,
        second: ({ tasks }) => [...new Set(tasks.map(({ metric_label: metric }) => metric))].join(' · '),
        own: [
          {
            id: 'subjects',
            label: t('fields.subjects'),
            width: 'minmax(7rem, 1.5fr)',
            cell: ({ subjects }) => {
              const [first, ...others] = subjects;
              if (!first) return '–';
              return (
                <TwoLines
                  first={<SubjectName subject={first} />}
                  second={
                    others.length > 0
                      ? t('fields.andMore', { smart_count: others.length })
                      : [first.name, first.version].filter((part) => part !== null).join(' ')
                  }
                  title={subjects.map(nameOfSubject).join(', ')}
                />
              );
            },
          },
          {
            id: 'tasks',
            label: t('fields.tasks'),
            width: 'minmax(7rem, 1.4fr)',
            cell: ({ tasks }) => {
              const [first, ...others] = tasks;
              if (!first) return '–';
              return (
                <TwoLines
                  first={nameOfTask(first, nameOfDataset)}
                  second={others.length > 0 ? t('fields.andMore', { smart_count: others.length }) : first.metric_label}
                  title={tasks.map((one) => nameOfTask(one, nameOfDataset)).join(', ')}
                />
              );
            },
          },
          {
            id: 'progress',
            label: task('columns.progress'),
            width: '7rem',
            cell: (row) => (row.queue ? <TaskTime task={row} /> : <ProgressText task={row} />),
          },
          {
            id: 'score',
            label: t('fields.firstScore'),
            width: '8rem',
            cell: ({ scores: [first] }) =>
              first ? <TwoLines first={figures.share(first.value)} second={figures.interval(first)} /> : '–',
          },
          createdColumn(ui, nameOfPerson),
        ],
        actions: inRow(EvaluationActions),
      }),
    [t, task, ui, figures, nameOfPerson, nameOfSubject, nameOfDataset],
  );
}
