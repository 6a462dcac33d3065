// Facts, one line each: name, value, and an action.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  readonly action?: ReactNode;
}

export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <Box component="dl" sx={{ m: 0 }}>
      {facts.map(({ label, value, action }) => (
        <Box
          key={label}
          sx={{
            display: 'grid',
            gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', md: '12rem minmax(0, 1fr) auto' },
            columnGap: 2,
            alignItems: 'center',
            minHeight: 48,
            py: 0.75,
            borderTop: '1px solid',
            borderColor: 'divider',
            '&:first-of-type': { borderTop: 0 },
          }}
        >
          <Typography
            component="dt"
            variant="body2"
            color="text.secondary"
            sx={{ gridColumn: { xs: '1 / -1', md: 'auto' } }}
          >
            {label}
          </Typography>
          <Box component="dd" sx={{ m: 0, minWidth: 0, overflowWrap: 'anywhere' }}>
            {value}
          </Box>
          <Box component="dd" sx={{ m: 0, textAlign: 'end' }}>
            {action}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
