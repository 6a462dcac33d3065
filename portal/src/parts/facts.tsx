// Facts of a thing: each a term and what it is.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export type Fact = readonly [term: string, value: ReactNode];

export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <Box component="dl" sx={SX}>
    {facts.map(([term, value]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </Box>
);

const SX = {
  m: 0,
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' },
  '& dt': { fontSize: 13, color: 'text.secondary' },
  '& dd': { m: 0, fontSize: 17, fontWeight: 600, overflowWrap: 'anywhere' },
} as const;
