// The page of one thing before it is there: on its way, failed, or gone, with the way to the list.
import type { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { usePartsWords } from './use-parts-words.ts';

const NOT_FOUND = 404;
export const isGone = (error: ApiProblem | null): boolean => error?.status === NOT_FOUND;

interface UntilShownProps {
  id: string;
  error: ApiProblem | null;
  /** The path of the list. */
  list: string;
  onRetry(): void;
}

export function UntilShown({ id, error, list, onRetry }: UntilShownProps) {
  const t = usePartsWords();
  return (
    <>
      <PageHeader title={id} />
      {isGone(error) ? (
        <EmptyState title={t('page.gone')}>
          <Button component={Link} to={list} variant="contained">
            {t('page.toList')}
          </Button>
        </EmptyState>
      ) : error ? (
        <ErrorState error={error} onRetry={onRetry} />
      ) : (
        <LoadingRows rows={4} height={160} />
      )}
    </>
  );
}
