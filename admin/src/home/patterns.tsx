// Patterns that tell the parts of a chart apart without colour: each part has its own, here and in the legend.
import Box from '@mui/material/Box';

export const PARTS = ['used', 'free', 'reserved', 'broken'] as const;
export type Part = (typeof PARTS)[number];

const INK: Readonly<Record<Part, string>> = {
  used: 'var(--mui-palette-primary-main)',
  free: 'var(--mui-palette-success-main)',
  reserved: 'var(--mui-palette-warning-main)',
  broken: 'var(--mui-palette-error-main)',
};

const FILL: Readonly<Record<Part, string>> = {
  used: INK.used,
  free: `repeating-linear-gradient(90deg, ${INK.free} 0 2px, transparent 2px 8px)`,
  reserved: `repeating-linear-gradient(45deg, ${INK.reserved} 0 3px, transparent 3px 7px)`,
  broken: `repeating-linear-gradient(0deg, ${INK.broken} 0 3px, transparent 3px 6px)`,
};

export const partStyle = (part: Part) => ({
  background: FILL[part],
  border: `1px solid ${INK[part]}`,
  boxSizing: 'border-box' as const,
});

export const Swatch = ({ part }: { part: Part }) => (
  <Box
    component="span"
    aria-hidden
    style={partStyle(part)}
    sx={{ display: 'inline-block', width: '1em', height: '0.8em', mr: 0.75 }}
  />
);
