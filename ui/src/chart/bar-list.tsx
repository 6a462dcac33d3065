// Bars beside their names. The figures are text, so the bars themselves say nothing new.
import Box from '@mui/material/Box';

interface BarListProps {
  rows: readonly { readonly name: string; readonly value: number; readonly text: string }[];
}

export function BarList({ rows }: BarListProps) {
  const most = Math.max(...rows.map(({ value }) => value), 0);
  return (
    <Box
      component="ul"
      sx={{
        listStyle: 'none',
        m: 0,
        p: 0,
        display: 'grid',
        gridTemplateColumns: 'minmax(4rem, auto) minmax(4rem, 1fr) auto',
        columnGap: 1.5,
        rowGap: 0.5,
        alignContent: 'start',
        alignItems: 'center',
        fontSize: 13,
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      {rows.map(({ name, value, text }) => (
        <Box
          key={name}
          component="li"
          sx={{
            display: 'grid',
            gridColumn: '1 / -1',
            gridTemplateColumns: 'subgrid',
            minHeight: 28,
            alignItems: 'center',
          }}
        >
          <Box
            component="span"
            sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', maxWidth: '14rem' }}
          >
            {name}
          </Box>
          <Box aria-hidden sx={{ height: 12, borderRadius: 0.5, bgcolor: 'action.hover', overflow: 'hidden' }}>
            <Box
              style={{ width: `${most > 0 ? (value / most) * 100 : 0}%` }}
              sx={{ height: '100%', bgcolor: 'primary.main' }}
            />
          </Box>
          <Box component="span" sx={{ textAlign: 'end' }}>
            {text}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
