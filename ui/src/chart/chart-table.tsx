// The figures of a chart: what each line spans, and its newest values.
import Box from '@mui/material/Box';
import { useUiWords } from '../i18n/use-words.tsx';
import { type Line, spreadOf } from './line.ts';
import type { Places } from './places.ts';

/** The most rows, the newest ones; a file has all. */
const MOST_ROWS = 120;

interface ChartTableProps {
  title: string;
  lines: readonly Line[];
  places: Places;
  textOf: (value: number) => string;
}

export function ChartTable({ title, lines, places: { values, label, textOf: placeOf }, textOf }: ChartTableProps) {
  const t = useUiWords();
  const orNone = (value: number | null | undefined) =>
    value === null || value === undefined ? t('chart.noData') : textOf(value);
  const newest = Array.from({ length: Math.min(MOST_ROWS, values.length) }, (_, at) => values.length - 1 - at);
  return (
    <>
      <Rows
        label={title}
        heads={[t('chart.series'), t('chart.last'), t('chart.least'), t('chart.most')]}
        rows={lines.map((line) => {
          const spread = spreadOf(line);
          return [line.name, orNone(spread?.last), orNone(spread?.least), orNone(spread?.most)];
        })}
      />
      <Rows
        label={t('chart.valuesOf', { title })}
        heads={[label, ...lines.map(({ name }) => name)]}
        rows={newest.map((at) => [placeOf(values[at] ?? 0), ...lines.map(({ points }) => orNone(points[at]))])}
      />
    </>
  );
}

const MOST_PX = 260;

/** It scrolls by itself, with its heads in sight. */
const Rows = ({
  label,
  heads,
  rows,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}) => (
  <Box tabIndex={0} role="group" aria-label={label} sx={{ overflow: 'auto', maxHeight: MOST_PX, mt: 1 }}>
    <Box
      component="table"
      aria-label={label}
      sx={{
        width: '100%',
        borderCollapse: 'collapse',
        fontSize: 12,
        fontVariantNumeric: 'tabular-nums',
        '& th, & td': {
          px: 1,
          py: 0.5,
          textAlign: 'end',
          whiteSpace: 'nowrap',
          borderBottom: 1,
          borderColor: 'divider',
        },
        '& :is(th, td):first-of-type': { textAlign: 'start' },
        '& thead th': {
          position: 'sticky',
          top: 0,
          bgcolor: 'background.paper',
          color: 'text.secondary',
          fontWeight: 600,
        },
        '& tbody th': { fontWeight: 400 },
      }}
    >
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name = '', ...cells]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity than their column
              <td key={at}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </Box>
  </Box>
);
