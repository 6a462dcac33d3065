// An answer that is not there yet: being prepared, failed, or on its way.
import type { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import { useDatasetWords } from '../use-dataset-words.ts';

interface AskedStateProps {
  error: ApiProblem | null;
  isPreparing: boolean;
  onRetry(): void;
}

export function AskedState({ error, isPreparing, onRetry }: AskedStateProps) {
  const t = useDatasetWords();
  if (isPreparing)
    return (
      <Alert severity="info" role="status">
        {t('table.preparing', { percent: error?.args.percent ?? 0 })}
      </Alert>
    );
  return error ? <ErrorState error={error} onRetry={onRetry} /> : <LoadingRows />;
}
