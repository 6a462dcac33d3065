// A part of a text that is marked. Not by its colour alone: it is underlined, too.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

interface MarkedProps {
  tone: 'success' | 'warning';
  children: ReactNode;
}

export const Marked = ({ tone, children }: MarkedProps) => (
  <Box
    component="mark"
    sx={{
      color: 'inherit',
      bgcolor: `color-mix(in srgb, var(--mui-palette-${tone}-main) 18%, transparent)`,
      borderBottom: `2px solid var(--mui-palette-${tone}-main)`,
    }}
  >
    {children}
  </Box>
);
