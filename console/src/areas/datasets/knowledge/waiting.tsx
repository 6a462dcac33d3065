// A search on its way: of a base that is being loaded it says so.
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useDatasetWords } from '../use-dataset-words.ts';
import type { useKnowledge } from './use-knowledge.ts';

export function Waiting({ state }: { state: ReturnType<typeof useKnowledge>['state'] }) {
  const t = useDatasetWords();
  if (state === 'idle') return null;
  return (
    <Box sx={{ mb: 1 }}>
      <LinearProgress aria-label={t('ask.search')} />
      {state === 'preparing' && (
        <Typography role="status" variant="body2" color="text.secondary" sx={{ mt: 1 }}>
          {t('ask.preparing')}
        </Typography>
      )}
    </Box>
  );
}
