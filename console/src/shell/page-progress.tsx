// While another page is on its way, the former one is covered: late, so that a quick one does not flicker.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import { keyframes } from '@mui/material/styles';
import { useNavigation } from 'react-router';

const SHOWN_AFTER_MS = 300;
const appear = keyframes`from { opacity: 0 } to { opacity: 1 }`;

export function PageProgress() {
  const { state } = useNavigation();
  const t = useUiWords();
  if (state === 'idle') return null;
  return (
    <Box
      role="status"
      sx={{
        position: 'fixed',
        inset: 0,
        zIndex: 'modal',
        display: 'grid',
        placeContent: 'center',
        cursor: 'progress',
        bgcolor: 'color-mix(in srgb, var(--mui-palette-background-default) 60%, transparent)',
        animation: `${appear} 150ms ${SHOWN_AFTER_MS}ms both`,
      }}
    >
      <CircularProgress aria-label={t('states.loading')} />
    </Box>
  );
}
