// The columns of the list: as the specification has them, with progress.
import type { FineTuneView } from '@gantry/contract/kinds/fine-tune.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { useMemo } from 'react';
import { createdColumn, kindColumns } from '../../parts/kind-columns.tsx';
import { TaskTime } from '../../parts/task/task-time.tsx';
import { useTaskWords } from '../../parts/task/use-task-words.ts';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useNameOf, useReadableDatasets, useReadableModels } from '../../parts/use-names.ts';
import { usePeople } from '../../parts/workload/use-people.ts';
import { inRow } from '../../parts/workload/workload-actions.tsx';
import { DatasetLink, ModelLink } from './links.tsx';
import { pathOf } from './paths.ts';
import { StepProgress } from './step-progress.tsx';
import { TuningActions } from './tuning-actions.tsx';
import { useTuningWords } from './use-tuning-words.ts';

export function useTuningColumns(): readonly Column<FineTuneView>[] {
  const t = useTuningWords();
  const task = useTaskWords();
  const ui = useUiWords();
  const nameOfPerson = usePeople();
  const nameOfModel = useNameOf(useReadableModels());
  const nameOfDataset = useNameOf(useReadableDatasets());
  return useMemo(
    () =>
      kindColumns<FineTuneView>(ui, {
        to: pathOf,
        second: ({ method_label: method, objective_label: objective }) => `${method} · ${objective}`,
        own: [
          {
            id: 'base',
            label: t('fields.base'),
            width: 'minmax(7rem, 1.4fr)',
            cell: ({ base: { model, name, version } }) => (
              <TwoLines
                first={<ModelLink id={model} name={name ?? nameOfModel(model)} />}
                second={version}
                title={`${name ?? nameOfModel(model)} ${version}`}
              />
            ),
          },
          {
            id: 'datasets',
            label: t('fields.dataset'),
            width: 'minmax(7rem, 1.4fr)',
            cell: ({ datasets }) => {
              const trained = datasets.filter(({ weight }) => weight !== null);
              const [first] = trained;
              if (!first) return '–';
              const version =
                first.version === null ? t('fields.newestVersion') : t('fields.version', { version: first.version });
              return (
                <TwoLines
                  first={<DatasetLink id={first.dataset} name={nameOfDataset(first.dataset)} version={first.version} />}
                  second={trained.length === 1 ? version : t('fields.andMore', { smart_count: trained.length - 1 })}
                  title={trained.map(({ dataset }) => nameOfDataset(dataset)).join(', ')}
                />
              );
            },
          },
          {
            id: 'progress',
            label: task('columns.progress'),
            width: '6.5rem',
            cell: (row) => (row.queue ? <TaskTime task={row} /> : <StepProgress training={row.training} />),
          },
          {
            id: 'output',
            label: t('form.output'),
            width: 'minmax(7rem, 1.4fr)',
            cell: ({ output: { model, name, version } }) => {
              const shown = model === null ? name : nameOfModel(model);
              return (
                <TwoLines first={<ModelLink id={model} name={shown} />} second={version ?? ''} title={shown ?? ''} />
              );
            },
          },
          createdColumn(ui, nameOfPerson),
        ],
        actions: inRow(TuningActions),
      }),
    [t, task, ui, nameOfPerson, nameOfModel, nameOfDataset],
  );
}
