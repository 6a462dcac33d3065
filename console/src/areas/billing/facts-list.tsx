// Names with their values, one below the other; with two columns the first is read before the second.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

export interface Fact {
  name: string;
  value: ReactNode;
  hint?: string;
}

export function FactsList({ facts, columns = 1 }: { facts: readonly Fact[]; columns?: 1 | 2 }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        columnGap: 4,
        rowGap: 1,
        gridAutoColumns: '1fr',
        gridAutoFlow: { xs: 'row', md: 'column' },
        gridTemplateRows: { xs: 'none', md: `repeat(${Math.ceil(facts.length / columns)}, auto)` },
      }}
    >
      {facts.map(({ name, value, hint }) => (
        <Box key={name} sx={{ display: 'flex', gap: 2, justifyContent: 'space-between', alignItems: 'baseline' }}>
          <Box component="dt">
            <Typography variant="body2" color="text.secondary" component="span">
              {name}
            </Typography>
            {hint !== undefined && (
              <Typography variant="caption" color="text.secondary" component="div">
                {hint}
              </Typography>
            )}
          </Box>
          <Box
            component="dd"
            sx={{ m: 0, textAlign: 'end', overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' }}
          >
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
