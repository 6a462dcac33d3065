// One subject of the home page.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { Link as RouterLink } from 'react-router';

interface HomeCardProps {
  title: string;
  /** The link to more of it. */
  more?: { to: string; label: string };
  children: ReactNode;
}

export function HomeCard({ title, more, children }: HomeCardProps) {
  const id = useId();
  return (
    <Paper variant="outlined" component="section" aria-labelledby={id} sx={{ p: { xs: 2, md: 2.5 }, minWidth: 0 }}>
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'baseline', mb: 1.5 }}>
        <Typography variant="h2" id={id} sx={{ flex: 1, minWidth: 0 }}>
          {title}
        </Typography>
        {more && (
          <Link component={RouterLink} to={more.to} variant="body2" sx={{ whiteSpace: 'nowrap' }}>
            {more.label}
          </Link>
        )}
      </Box>
      {children}
    </Paper>
  );
}
