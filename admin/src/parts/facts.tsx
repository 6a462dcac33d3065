// Labels and values.
import Box from '@mui/material/Box';
import { Fragment, type ReactNode } from 'react';

export function Facts({ rows }: { rows: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(140px, max-content) minmax(0, 1fr)' },
        columnGap: 3,
        rowGap: { xs: 0.5, md: 1 },
        '& dt': { color: 'text.secondary' },
        '& dd': { m: 0, mb: { xs: 1, md: 0 }, overflowWrap: 'anywhere' },
      }}
    >
      {rows.map(([label, value]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </Box>
  );
}
