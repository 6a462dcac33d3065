// Lead to the form of a data processing task that reads this version, and of a fine-tuning task, for those who may make one.
import type { DatasetVersionView } from '@gantry/contract/areas/datasets/datasets.ts';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { useDatasetWords } from './use-dataset-words.ts';

interface ProcessButtonProps {
  /** The id of the dataset. */
  id: string;
  version: number;
  /** What is made of it, where there is no doubt. */
  type?: 'KnowledgeBase';
  /** Says what the button does; the usual word by default. */
  label?: string;
  size?: 'small';
}

/** A task reads its table: one that could not be read, or never will be, is of no use to it. */
export const canBeProcessed = ({ state, profile }: Pick<DatasetVersionView, 'state' | 'profile'>): boolean =>
  state === 'ready' && profile !== null && profile.state !== 'failed';

export function ProcessButton({ id, version, type, label, size }: ProcessButtonProps) {
  const t = useDatasetWords();
  const query = new URLSearchParams({ dataset: id, version: `${version}`, ...(type && { type }) });
  return (
    <Guarded node="createDataProcess" isHidden>
      <Button component={Link} to={`/data/processing/create?${query}`} {...(size && { size })}>
        {label ?? t('process')}
      </Button>
    </Guarded>
  );
}

export function TuneButton({ id, version }: Pick<ProcessButtonProps, 'id' | 'version'>) {
  const t = useDatasetWords();
  return (
    <Guarded node="createFineTune" isHidden>
      <Button
        component={Link}
        to={`/model/finetune/create?${new URLSearchParams({ dataset: id, datasetVersion: `${version}` })}`}
      >
        {t('tune')}
      </Button>
    </Guarded>
  );
}
