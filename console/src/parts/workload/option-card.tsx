// One of several, as a card: the control and its lines are one label, so that all of it can be pressed.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { UsedBar } from '../used-bar.tsx';

interface OptionCardProps {
  control: ReactElement;
  title: string;
  lines: readonly string[];
  isChosen: boolean;
  /** How much of it is used. */
  bar?: { used: number; total: number; label: string };
}

export function OptionCard({ control, title, lines, isChosen, bar }: OptionCardProps) {
  return (
    <Box
      component="label"
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        cursor: 'pointer',
        border: '1px solid',
        borderColor: isChosen ? 'primary.main' : 'divider',
        borderRadius: 1,
        p: 0.5,
        pr: 1.5,
        minWidth: 0,
        '&:hover': { bgcolor: 'action.hover' },
      }}
    >
      {control}
      <Box sx={{ py: 1, flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="body2" sx={{ fontWeight: 600 }}>
          {title}
        </Typography>
        {lines.map((line) => (
          <Typography key={line} variant="caption" color="text.secondary" component="p">
            {line}
          </Typography>
        ))}
        {bar && bar.total > 0 && <UsedBar {...bar} />}
      </Box>
    </Box>
  );
}
