// Names and values, one a line.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

interface Fact {
  label: string;
  value: ReactNode;
  isLarge?: boolean;
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <Box component="dl" sx={{ m: 0 }}>
      {facts.map(({ label, value, isLarge }) => (
        <Box
          key={label}
          sx={{
            display: 'flex',
            gap: 2,
            justifyContent: 'space-between',
            alignItems: 'baseline',
            py: 0.5,
            minHeight: 32,
          }}
        >
          <Box component="dt" sx={{ color: 'text.secondary', fontSize: 14 }}>
            {label}
          </Box>
          <Box
            component="dd"
            sx={{
              m: 0,
              textAlign: 'end',
              overflowWrap: 'anywhere',
              fontVariantNumeric: 'tabular-nums',
              ...(isLarge ? { fontSize: 24, fontWeight: 600 } : { fontSize: 14 }),
            }}
          >
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
