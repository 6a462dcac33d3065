// A page that could not be loaded, or fell over.
import Box from '@mui/material/Box';
import { useRouteError } from 'react-router';
import { useUiWords } from '../i18n/use-words.tsx';
import { ErrorState } from './states.tsx';

export function PageFailed() {
  const t = useUiWords();
  const error = useRouteError();
  return (
    <Box sx={{ p: 3, maxWidth: '48rem', mx: 'auto' }}>
      {/* A browser's script errors are not translated. */}
      <ErrorState error={error} otherwise={t('states.failed')} onRetry={() => location.reload()} />
    </Box>
  );
}
