// A page that could not be loaded, or fell over.
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import { useRouteError } from 'react-router';

export function PageFailed() {
  const t = useUiWords();
  const error = useRouteError();
  // A browser's script errors are not translated.
  const shown = error instanceof ApiProblem ? error : t('states.failed');
  return (
    <Box sx={{ p: 3, maxWidth: '48rem', mx: 'auto' }}>
      <ErrorState error={shown} onRetry={() => location.reload()} />
    </Box>
  );
}
