// Covers the screen when there is no shell: the reason, and a button for a new one.
import { TERMINAL_WORDS } from '@gantry/contract/areas/instances/terminal-status.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useRef } from 'react';
import { OVER, type Shell } from './use-shell.ts';
import { useTerminalWords } from './use-terminal-words.ts';

export function ShellEnded({ shell: { state, session, reconnect } }: { shell: Shell }) {
  const t = useTerminalWords();
  const language = useLanguage();
  const button = useRef<HTMLButtonElement>(null);
  const isOver = state.status === 'failed' || state.status === 'closed';
  const isNext = session !== undefined && OVER.has(state.reason);
  // Enter opens the next one.
  useEffect(() => {
    if (isOver) button.current?.focus();
  }, [isOver]);
  return (
    <Box aria-live="polite" sx={{ position: 'absolute', insetInline: 16, bottom: 16, zIndex: 2 }}>
      {isOver && (
        <Alert
          severity={state.status === 'failed' ? 'error' : state.exitCode === 0 ? 'info' : 'warning'}
          sx={{ boxShadow: 4, maxWidth: '48rem', mx: 'auto', alignItems: 'center', flexWrap: 'wrap' }}
          action={
            <Button ref={button} color="inherit" variant="outlined" size="small" onClick={reconnect}>
              {t(isNext ? 'sessions.new' : 'reconnect')}
            </Button>
          }
        >
          <AlertTitle sx={{ mb: 0 }}>
            {state.reason === 'exited' ? state.detail : TERMINAL_WORDS[state.status as 'failed' | 'closed'][language]}
          </AlertTitle>
          {state.reason !== 'exited' && (state.detail ?? t('broke'))}
        </Alert>
      )}
    </Box>
  );
}
