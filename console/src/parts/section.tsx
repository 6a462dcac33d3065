// One section of a page: its heading, its purpose, and its actions.
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  lead?: ReactNode;
  /** Beside the heading: a state. */
  beside?: ReactNode;
  /** Its actions, at the end of the heading's line. */
  actions?: ReactNode;
  /** In a grid, whose gaps are all the distance there is. */
  inGrid?: boolean;
  children?: ReactNode;
}

export function Section({ title, lead, beside, actions, inGrid = false, children }: SectionProps) {
  const id = useId();
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-labelledby={id}
      sx={{ p: { xs: 2, md: 3 }, mb: inGrid ? 0 : 3, minWidth: 0 }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'flex-start' }}>
        <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
          <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
            <Typography variant="h2" id={id}>
              {title}
            </Typography>
            {beside}
          </Box>
          {lead !== undefined && (
            <Typography variant="body2" color="text.secondary" component="div" sx={{ mt: 0.5, maxWidth: '48rem' }}>
              {lead}
            </Typography>
          )}
        </Box>
        {actions !== undefined && <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>{actions}</Box>}
      </Box>
      {children ? <Box sx={{ mt: 2 }}>{children}</Box> : null}
    </Paper>
  );
}
