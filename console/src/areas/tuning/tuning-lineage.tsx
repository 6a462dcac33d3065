// What the runs of a task have read and made; until then, what it reads.
import type { FineTuneView } from '@gantry/contract/kinds/fine-tune.ts';
import { LineageTab } from '../../parts/lineage/lineage-tab.tsx';
import { useNameOf, useReadableDatasets, useReadableModels } from '../../parts/use-names.ts';
import { DatasetLink, ModelLink } from './links.tsx';
import { useTuningWords } from './use-tuning-words.ts';

export function TuningLineage({ task: { id, base, datasets } }: { task: FineTuneView }) {
  const t = useTuningWords();
  const nameOfModel = useNameOf(useReadableModels());
  const nameOfDataset = useNameOf(useReadableDatasets());
  return (
    <LineageTab
      kind="finetune"
      id={id}
      reads={
        <>
          <div>
            <ModelLink id={base.model} name={base.name ?? nameOfModel(base.model)} />
            {` · ${base.version}`}
          </div>
          {datasets.map(({ dataset, version, weight }) => (
            <div key={`${dataset} ${weight}`}>
              <DatasetLink id={dataset} name={nameOfDataset(dataset)} version={version} />
              {` · ${version === null ? t('fields.newestVersion') : t('fields.version', { version })}`}
            </div>
          ))}
        </>
      }
    />
  );
}
