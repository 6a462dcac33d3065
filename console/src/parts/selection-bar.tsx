// Overlays the foot of a list with selected rows: their number, and their commands. Nothing moves when it appears.
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { usePartsWords } from './use-parts-words.ts';

interface SelectionBarProps {
  count: number;
  onClear(): void;
  children: ReactNode;
}

export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  const t = usePartsWords();
  const selected = t('actions.selected', { smart_count: count });
  return (
    <Paper
      variant="outlined"
      role="group"
      aria-label={selected}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 1,
        alignItems: 'center',
        p: 1,
        position: 'fixed',
        bottom: 16,
        left: '50%',
        transform: 'translateX(-50%)',
        width: { xs: 'calc(100% - 16px)', md: 'auto' },
        minWidth: { md: '32rem' },
        zIndex: 'speedDial',
        boxShadow: 6,
      }}
    >
      <Typography variant="body2" sx={{ px: 1 }} aria-live="polite">
        {selected}
      </Typography>
      {children}
      <Button size="small" onClick={onClear} sx={{ ml: 'auto' }}>
        {t('actions.clear')}
      </Button>
    </Paper>
  );
}
