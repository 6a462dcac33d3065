// A part of a page, with its title.
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

export const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card component="section" sx={{ p: 2 }}>
    <Typography variant="h2" sx={{ mb: 1 }}>
      {title}
    </Typography>
    {children}
  </Card>
);
