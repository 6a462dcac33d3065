// A model or a dataset that a task reads or makes, with the version: a link where there is one.
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { datasetPath, modelPath } from '../../parts/store-paths.ts';
import { useTuningWords } from './use-tuning-words.ts';

interface DatasetLinkProps {
  id: string;
  name: string;
  /** Null: the newest one. */
  version: number | null;
}

export const DatasetLink = ({ id, name, version }: DatasetLinkProps) => (
  <Link component={RouterLink} to={datasetPath(id, version)}>
    {name}
  </Link>
);

interface ModelLinkProps {
  /** Null: it is not made yet. */
  id: string | null;
  name: string | null;
}

export function ModelLink({ id, name }: ModelLinkProps) {
  const t = useTuningWords();
  if (id === null) return <span>{name === null ? '–' : t('fields.notMade', { name })}</span>;
  return (
    <Link component={RouterLink} to={modelPath(id)}>
      {name ?? id}
    </Link>
  );
}
