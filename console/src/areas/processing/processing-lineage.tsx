// What the runs of a task have read and made; until then, what it reads.
import type { DataProcessView } from '@gantry/contract/kinds/data-process.ts';
import { LineageTab } from '../../parts/lineage/lineage-tab.tsx';
import { DatasetLink } from './dataset-link.tsx';
import { useProcessingWords } from './use-processing-words.ts';

export function ProcessingLineage({ task: { id, input } }: { task: DataProcessView }) {
  const t = useProcessingWords();
  return (
    <LineageTab
      kind="process"
      id={id}
      reads={
        <>
          <DatasetLink id={input.dataset} name={input.name} version={input.version} />
          {` · ${input.version === null ? t('fields.newestVersion') : t('fields.version', { version: input.version })}`}
        </>
      }
    />
  );
}
