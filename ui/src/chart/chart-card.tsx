// A chart with its name: the newest values beside it, those at the crosshair while somebody points, and all of them as a table or as
// CSV on request. Without data it is one line.
import DownloadIcon from '@mui/icons-material/FileDownloadOutlined';
import TableIcon from '@mui/icons-material/TableRowsOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { type Places as FilePlaces, seriesCsv } from '../format/series-csv.ts';
import { useUiWords } from '../i18n/use-words.tsx';
import { Chart, type ChartProps } from './chart.tsx';
import { ChartTable } from './chart-table.tsx';
import { useCrosshair } from './crosshair.ts';
import { colourOf } from './ink.ts';
import { type Line, nearest, type Spread, spreadOf } from './line.ts';
import type { Places } from './places.ts';
import { Swatch } from './swatch.tsx';

interface ChartCardProps extends Omit<ChartProps, 'label'> {
  title: string;
  /** Below the title: what the values are measured against. */
  lead?: ReactNode;
  /** Instead of the words for no data. */
  none?: string;
  /** Buttons besides its own. */
  actions?: ReactNode;
  warnings?: readonly string[];
  /** As a file has the places; absent: there is no file. */
  file?: { readonly places: () => FilePlaces; readonly save: (csv: Blob, name: string) => void };
  /** The newest values alone: as numbers to be read from afar, or as a table. */
  shows?: 'chart' | 'value' | 'table';
}

const MOST_NAMED = 6;

export function ChartCard({
  title,
  lead,
  none,
  actions,
  warnings = [],
  file,
  shows = 'chart',
  lines,
  places,
  textOf,
  ...chart
}: ChartCardProps) {
  const t = useUiWords();
  const id = useId();
  const [isTabled, setTabled] = useState(false);
  const known = useMemo(() => lines.filter((line) => spreadOf(line) !== undefined), [lines]);
  const missing = lines.filter((line) => !known.includes(line));
  const hasTable = shows === 'table' || isTabled;
  const save = async () =>
    file?.save(new Blob([await seriesCsv(file.places(), lines)], { type: 'text/csv' }), `${title}.csv`);
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-labelledby={id}
      sx={{ px: 2, py: known.length === 0 ? 1 : 1.5, minWidth: 0 }}
    >
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', minHeight: 32 }}>
        <Typography variant="h2" id={id} sx={{ fontSize: '0.875rem', flex: '0 1 auto', minWidth: 0 }}>
          {title}
        </Typography>
        <Typography variant="body2" color="text.secondary" component="div" sx={{ flex: 1, minWidth: 0 }}>
          {known.length === 0 ? (none ?? t('chart.noData')) : lead}
        </Typography>
        {known.length > 0 && (
          <>
            {shows !== 'table' && (
              <IconButton
                size="small"
                title={t('chart.table')}
                aria-label={t('chart.tableOf', { title })}
                aria-expanded={isTabled}
                onClick={() => setTabled(!isTabled)}
                {...(isTabled && { color: 'primary' as const })}
              >
                <TableIcon fontSize="small" />
              </IconButton>
            )}
            {file && (
              <IconButton size="small" title="CSV" aria-label={t('chart.csvOf', { title })} onClick={() => void save()}>
                <DownloadIcon fontSize="small" />
              </IconButton>
            )}
          </>
        )}
        {actions}
      </Box>
      {warnings.length > 0 && <Alert severity="warning">{t('chart.partial', { why: warnings.join('; ') })}</Alert>}
      {known.length > 0 && (
        <>
          {shows === 'value' && <Newest lines={known} textOf={textOf} />}
          {shows === 'chart' && (
            <>
              <Legend title={title} lines={known} places={places} textOf={textOf} />
              <Chart {...chart} label={title} lines={known} places={places} textOf={textOf} />
            </>
          )}
          {hasTable && <ChartTable title={title} lines={known} places={places} textOf={textOf} />}
          {missing.length > 0 && (
            <Typography variant="body2" color="text.secondary" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
              {t('chart.noDataOf', { names: missing.map(({ name }) => name).join(', ') })}
            </Typography>
          )}
        </>
      )}
    </Paper>
  );
}

interface LegendProps {
  title: string;
  lines: readonly Line[];
  places: Places;
  textOf: (value: number) => string;
}

/** The newest value of each line and what it spans; while somebody points at any chart of the page, the value there. */
function Legend({ title, lines, places, textOf }: LegendProps) {
  const t = useUiWords();
  const crosshair = useCrosshair(places.together);
  const at = crosshair ? nearest(places.values, crosshair.place) : -1;
  const isPointed =
    crosshair !== undefined &&
    crosshair.place >= (places.values[0] ?? 0) &&
    crosshair.place <= (places.values.at(-1) ?? 0);
  const shown = (line: Line, { last }: Spread) => (isPointed ? (line.points[at] ?? null) : last);
  return (
    <Box
      component="ul"
      sx={{
        listStyle: 'none',
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 2,
        m: 0,
        mb: 0.5,
        p: 0,
        fontSize: 12,
        color: 'text.secondary',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      {lines.slice(0, MOST_NAMED).map((line, index) => {
        const spread = spreadOf(line);
        if (!spread) return null;
        const value = shown(line, spread);
        return (
          <Box key={line.name} component="li" sx={{ display: 'flex', gap: 0.75, alignItems: 'center', minWidth: 0 }}>
            {lines.length > 1 && (
              <Swatch colour={line.isBad ? 'var(--mui-palette-error-main)' : colourOf(index)} at={index} />
            )}
            {line.name !== title && (
              <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
                {line.name}
              </Box>
            )}
            <Box component="strong" sx={{ color: 'text.primary', fontWeight: 600, whiteSpace: 'nowrap' }}>
              {value === null ? t('chart.noData') : textOf(value)}
            </Box>
            {lines.length === 1 && spread.least !== spread.most && (
              <span>{t('chart.between', { least: textOf(spread.least), most: textOf(spread.most) })}</span>
            )}
          </Box>
        );
      })}
      {lines.length > MOST_NAMED && <li>{t('chart.more', { smart_count: lines.length - MOST_NAMED })}</li>}
    </Box>
  );
}

/** The newest value of each series, to be read from afar. */
function Newest({ lines, textOf }: Pick<LegendProps, 'lines' | 'textOf'>) {
  const t = useUiWords();
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1, mb: 1 }}>
      {lines.map((line) => {
        const last = spreadOf(line)?.last ?? null;
        return (
          <div key={line.name}>
            <Typography sx={{ fontSize: 28, lineHeight: 1.3 }}>
              {last === null ? t('chart.noData') : textOf(last)}
            </Typography>
            {lines.length > 1 && (
              <Typography variant="body2" color="text.secondary" sx={{ overflowWrap: 'anywhere' }}>
                {line.name}
              </Typography>
            )}
          </div>
        );
      })}
    </Box>
  );
}
