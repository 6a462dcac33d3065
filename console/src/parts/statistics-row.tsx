// A few statistics side by side, each with its name.
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';

interface StatisticsRowProps {
  statistics: readonly (readonly [name: string, value: string])[];
  /** Their values are on their way. */
  isPending?: boolean;
}

export const StatisticsRow = ({ statistics, isPending = false }: StatisticsRowProps) => (
  <Box
    component="dl"
    sx={{
      m: 0,
      display: 'grid',
      gap: 2,
      gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(3, 1fr)', lg: 'repeat(6, 1fr)' },
    }}
  >
    {statistics.map(([name, value]) => (
      <Paper key={name} variant="outlined" sx={{ p: 2, display: 'flex', flexDirection: 'column', minWidth: 0 }}>
        <Typography component="dt" variant="body2" color="text.secondary" sx={{ flex: 1 }}>
          {name}
        </Typography>
        <Typography
          component="dd"
          sx={{
            m: 0,
            fontSize: '1.25rem',
            fontWeight: 600,
            fontVariantNumeric: 'tabular-nums',
            overflowWrap: 'anywhere',
          }}
        >
          {isPending ? <Skeleton width="4rem" /> : value}
        </Typography>
      </Paper>
    ))}
  </Box>
);
