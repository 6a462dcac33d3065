// An answer that is not there yet: being prepared, failed, or on its way.
import type { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';

interface AskedStateProps {
  error: ApiProblem | null;
  isPreparing: boolean;
  onRetry(): void;
}

export function AskedState({ error, isPreparing, onRetry }: AskedStateProps) {
  if (isPreparing) return <Alert severity="info">{error?.message}</Alert>;
  return error ? <ErrorState error={error} onRetry={onRetry} /> : <LoadingRows />;
}
