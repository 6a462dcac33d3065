// Keys that a phone's keyboard lacks.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTerminalWords } from './use-terminal-words.ts';

const KEYS = [
  ['Esc', '\x1b'],
  ['Tab', '\t'],
  ['Ctrl+C', '\x03'],
  ['Ctrl+D', '\x04'],
  ['↑', '\x1b[A'],
  ['↓', '\x1b[B'],
  ['←', '\x1b[D'],
  ['→', '\x1b[C'],
] as const;

export function KeyBar({ onPress }: { onPress(sequence: string): void }) {
  const t = useTerminalWords();
  return (
    <Box
      role="toolbar"
      aria-label={t('keys')}
      sx={{
        display: 'none',
        '@media (pointer: coarse)': { display: 'flex' },
        gap: 0.5,
        p: 0.5,
        overflowX: 'auto',
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      {KEYS.map(([label, sequence]) => (
        <Button
          key={label}
          size="small"
          variant="outlined"
          color="inherit"
          sx={{ flex: '1 0 auto', minWidth: 40, px: 1, whiteSpace: 'nowrap' }}
          // The screen keeps the focus, and with it the phone its keyboard.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPress(sequence)}
        >
          {label}
        </Button>
      ))}
    </Box>
  );
}
