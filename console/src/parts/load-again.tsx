// After an edit that came too late: somebody else has changed the same object. What was typed stays until this is pressed.
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import Button from '@mui/material/Button';
import { usePartsWords } from './use-parts-words.ts';

export const isConflict = (error: unknown): boolean => error instanceof ApiProblem && error.error === 'conflict';

export function LoadAgain({ onLoad }: { onLoad: () => unknown }) {
  const t = usePartsWords();
  return (
    <Button color="inherit" size="small" onClick={() => void onLoad()}>
      {t('edit.loadAgain')}
    </Button>
  );
}
