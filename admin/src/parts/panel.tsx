// A part of a page, with its title.
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface PanelProps {
  title: string;
  /** At the end of the title's line. */
  actions?: ReactNode;
  children: ReactNode;
}

export const Panel = ({ title, actions, children }: PanelProps) => (
  <Card component="section" sx={{ p: 2 }}>
    <Box sx={{ display: 'flex', gap: 1, justifyContent: 'space-between', alignItems: 'flex-start', mb: 1 }}>
      <Typography variant="h2">{title}</Typography>
      {actions}
    </Box>
    {children}
  </Card>
);
