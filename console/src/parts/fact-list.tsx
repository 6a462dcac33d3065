// Facts, one line each: name, value, and an action.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  readonly action?: ReactNode;
}

interface FactListProps {
  facts: readonly Fact[];
  /** Many short ones: in two columns where there is room. */
  isDense?: boolean;
}

/** Wide enough for the name beside the value: a card at the side of a page is not. */
const BESIDE = '@container (min-width: 30rem)';
/** Wide enough for two of them side by side. */
const TWO = '@container (min-width: 44rem)';

export function FactList({ facts, isDense = false }: FactListProps) {
  if (isDense) return <DenseFacts facts={facts} />;
  return (
    <Box component="dl" sx={{ m: 0, containerType: 'inline-size' }}>
      {facts.map(({ label, value, action }) => (
        <Box
          key={label}
          sx={{
            display: 'grid',
            gridTemplateColumns: 'minmax(0, 1fr) auto',
            [BESIDE]: { gridTemplateColumns: '12rem minmax(0, 1fr) auto' },
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
            sx={{ gridColumn: '1 / -1', [BESIDE]: { gridColumn: 'auto' } }}
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

const DenseFacts = ({ facts }: { facts: readonly Fact[] }) => (
  <Box sx={{ containerType: 'inline-size' }}>
    <Box component="dl" sx={{ m: 0, columnGap: 5, [TWO]: { columnCount: 2 } }}>
      {facts.map(({ label, value, action }) => (
        <Box
          key={label}
          sx={{
            display: 'grid',
            gridTemplateColumns: 'minmax(6rem, 9rem) minmax(0, 1fr) auto',
            columnGap: 1.5,
            alignItems: 'center',
            minHeight: 36,
            py: 0.5,
            breakInside: 'avoid',
            borderBottom: '1px solid',
            borderColor: 'divider',
          }}
        >
          <Typography component="dt" variant="body2" color="text.secondary">
            {label}
          </Typography>
          <Typography component="dd" variant="body2" sx={{ m: 0, minWidth: 0, overflowWrap: 'anywhere' }}>
            {value}
          </Typography>
          {action !== undefined && (
            <Box component="dd" sx={{ m: 0, textAlign: 'end' }}>
              {action}
            </Box>
          )}
        </Box>
      ))}
    </Box>
  </Box>
);
