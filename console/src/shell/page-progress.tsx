// While another page is on its way: a line at the top, late, so that a quick one does not flicker.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import { keyframes } from '@mui/material/styles';
import { useNavigation } from 'react-router';

const SHOWN_AFTER_MS = 200;
const appear = keyframes`from { opacity: 0 } to { opacity: 1 }`;

export function PageProgress() {
  const { state } = useNavigation();
  const t = useUiWords();
  if (state === 'idle') return null;
  return (
    // The former page is not pressed meanwhile.
    <Box role="status" sx={{ position: 'fixed', inset: 0, zIndex: 'modal', cursor: 'progress' }}>
      <LinearProgress
        aria-label={t('states.loading')}
        sx={{ height: 2, borderRadius: 0, animation: `${appear} 150ms ${SHOWN_AFTER_MS}ms both` }}
      />
    </Box>
  );
}
