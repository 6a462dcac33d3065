// The values of all lines at the crosshair, the greatest first. It follows the pointer and covers little.
import Box from '@mui/material/Box';
import { colourOf } from './ink.ts';
import type { Line } from './line.ts';
import { Swatch } from './swatch.tsx';

interface ChartTipProps {
  title: string;
  lines: readonly Line[];
  /** Of which point. */
  at: number;
  textOf: (value: number) => string;
  /** Where the crosshair is, and how much room there is. */
  px: number;
  width: number;
}

const MOST_ROWS = 8;
const DISTANCE_PX = 12;

export function ChartTip({ title, lines, at, textOf, px, width }: ChartTipProps) {
  const rows = lines
    .map(({ name, points }, index) => ({ name, index, value: points[at] ?? null }))
    .sort((one, other) => (other.value ?? -Infinity) - (one.value ?? -Infinity));
  const isRight = px > width / 2;
  return (
    <Box
      aria-hidden
      data-tip
      sx={{
        position: 'absolute',
        zIndex: 2,
        top: 8,
        ...(isRight ? { right: width - px + DISTANCE_PX } : { left: px + DISTANCE_PX }),
        maxWidth: Math.max(120, (isRight ? px : width - px) - 2 * DISTANCE_PX),
        px: 1.25,
        py: 0.75,
        borderRadius: 1,
        border: 1,
        borderColor: 'divider',
        bgcolor: 'background.paper',
        boxShadow: '0 4px 16px rgb(0 0 0 / 0.16)',
        pointerEvents: 'none',
        fontSize: 12,
        lineHeight: 1.5,
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      <Box sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>{title}</Box>
      {rows.slice(0, MOST_ROWS).map(({ name, index, value }) => (
        <Box key={name} sx={{ display: 'flex', gap: 0.75, alignItems: 'center' }}>
          {lines.length > 1 && <Swatch colour={colourOf(index)} at={index} />}
          {lines.length > 1 && (
            <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', flex: 1 }}>
              {name}
            </Box>
          )}
          <Box component="span" sx={{ fontWeight: 600, whiteSpace: 'nowrap' }}>
            {value === null ? '–' : textOf(value)}
          </Box>
        </Box>
      ))}
      {rows.length > MOST_ROWS && <Box sx={{ color: 'text.secondary' }}>+{rows.length - MOST_ROWS}</Box>}
    </Box>
  );
}
