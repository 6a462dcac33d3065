// One form in the middle of an open page, with its heading.
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { OpenPage } from '../../parts/open-page.tsx';

interface EntryCardProps {
  title: string;
  /** Above the title, such as "Step 1 of 2". */
  above?: string;
  lead: string;
  children: ReactNode;
}

export const EntryCard = ({ title, above, lead, children }: EntryCardProps) => (
  <OpenPage title={title} maxWidth={560}>
    <Paper variant="outlined" sx={{ p: { xs: 2, sm: 4 }, display: 'grid', gap: 2.5 }}>
      <Box>
        {above !== undefined && (
          <Typography variant="caption" color="textSecondary" component="p">
            {above}
          </Typography>
        )}
        <Typography variant="h1">{title}</Typography>
        <Typography variant="body2" color="textSecondary">
          {lead}
        </Typography>
      </Box>
      {children}
    </Paper>
  </OpenPage>
);
