// A dataset that a task reads or makes, with the version: a link where there is one.
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { datasetPath } from '../../parts/store-paths.ts';
import { useProcessingWords } from './use-processing-words.ts';

interface DatasetLinkProps {
  /** Null: it is not made yet. */
  id: string | null;
  name: string | null;
  version: number | null;
}

export function DatasetLink({ id, name, version }: DatasetLinkProps) {
  const t = useProcessingWords();
  if (id === null) return <span>{name === null ? '–' : t('fields.notMade', { name })}</span>;
  return (
    <Link component={RouterLink} to={datasetPath(id, version)}>
      {name ?? id}
    </Link>
  );
}
