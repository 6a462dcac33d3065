// A part of the home page: its title, what it shows, and a word on what that means.
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

interface HomeCardProps {
  title: string;
  /** Beside the title. */
  note?: ReactNode;
  help?: string;
  /** Over the whole width. */
  isWide?: boolean;
  children: ReactNode;
}

export function HomeCard({ title, note, help, isWide = false, children }: HomeCardProps) {
  const id = useId();
  return (
    <Paper
      component="section"
      aria-labelledby={id}
      variant="outlined"
      sx={{ p: '1em', minWidth: 0, flex: `1 1 ${isWide ? '100%' : '22em'}` }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: 1.5, mb: 1.5 }}>
        <Typography id={id} variant="h2" sx={{ flex: 1 }}>
          {title}
        </Typography>
        {note}
      </Box>
      {children}
      {help !== undefined && (
        <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
          {help}
        </Typography>
      )}
    </Paper>
  );
}
