// The colours and dashes by which lines are told apart: no two of the first thirty have both in common.
const COLOURS = 6;
const DASHES = ['', '6 3', '2 3', '10 3 2 3', '4 4'];

export const colourOf = (at: number): string => `var(--chart-${(at % COLOURS) + 1})`;
export const dashOf = (at: number): string | undefined => DASHES[at % DASHES.length] || undefined;

/** Of charts; each colour has a contrast of 3 at least on the paper of its scheme. */
export const CHART_COLOURS = {
  '--chart-1': 'var(--mui-palette-primary-main)',
  '--chart-2': '#00796b',
  '--chart-3': '#b45309',
  '--chart-4': '#a21caf',
  '--chart-5': '#0369a1',
  '--chart-6': '#50606f',
  '[data-scheme="dark"] &': {
    '--chart-2': '#4fd1c1',
    '--chart-3': '#f0b45b',
    '--chart-4': '#e3a3ee',
    '--chart-5': '#7fbcf5',
    '--chart-6': '#a7b4c1',
  },
} as const;
