// Series over time, or over steps: their chart, what each spans in words, and all of it as a table and as CSV.
import { type Places, seriesCsv } from '@gantry/ui/format/series-csv.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useMemo, useState } from 'react';
import { PlainTable } from '../plain-table.tsx';
import { saveFile } from '../save-file.ts';
import { Section } from '../section.tsx';
import { type Line, spreadOf } from './line.ts';
import { useMetricsWords } from './use-metrics-words.ts';

/** The most rows, the newest ones; the file has all. */
const MOST_ROWS = 120;

interface SeriesPanelProps {
  title: string;
  lines: readonly Line[];
  textOf: (value: number) => string;
  /** The word for what the points are at, and the text of each place. */
  over: { readonly label: string; readonly textAt: (at: number) => string };
  /** As a file has the places. */
  placesOf: () => Places;
  /** Buttons besides its own. */
  actions?: ReactNode;
  warnings?: readonly string[];
  /** Of the lines that have data. */
  chart: (known: readonly Line[]) => ReactNode;
}

export function SeriesPanel({ title, lines, textOf, over, placesOf, actions, warnings = [], chart }: SeriesPanelProps) {
  const t = useMetricsWords();
  const known = useMemo(() => lines.filter((line) => spreadOf(line) !== undefined), [lines]);
  const missing = lines.filter((line) => !known.includes(line));
  return (
    <Section
      title={title}
      inGrid
      actions={
        <>
          {known.length > 0 && (
            <Button size="small" onClick={() => void saveCsv(title, placesOf(), lines)}>
              {t('csv')}
            </Button>
          )}
          {actions}
        </>
      }
    >
      {warnings.length > 0 && <Alert severity="warning">{t('partial', { why: warnings.join('; ') })}</Alert>}
      {known.length === 0 ? (
        <Typography color="text.secondary">{t('noData')}</Typography>
      ) : (
        <>
          {chart(known)}
          <PlainTable
            label={title}
            keyOf={({ name }) => name}
            rows={known}
            columns={[
              { label: t('series'), cell: ({ name }) => name },
              { label: t('last'), cell: (line) => textOr(spreadOf(line)?.last, textOf, t('noData')), isEnd: true },
              { label: t('least'), cell: (line) => textOr(spreadOf(line)?.least, textOf, ''), isEnd: true },
              { label: t('most'), cell: (line) => textOr(spreadOf(line)?.most, textOf, ''), isEnd: true },
            ]}
          />
          {missing.length > 0 && (
            <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
              {t('noDataOf', { names: missing.map(({ name }) => name).join(', ') })}
            </Typography>
          )}
          <Values title={title} lines={known} textOf={textOf} over={over} />
        </>
      )}
    </Section>
  );
}

type ValuesProps = Pick<SeriesPanelProps, 'title' | 'lines' | 'textOf' | 'over'>;

function Values({ title, lines, textOf, over }: ValuesProps) {
  const t = useMetricsWords();
  const [isOpen, setOpen] = useState(false);
  const length = lines[0]?.points.length ?? 0;
  const rows = Array.from({ length: Math.min(MOST_ROWS, length) }, (_, at) => length - 1 - at);
  return (
    <Box component="details" onToggle={(event) => setOpen(event.currentTarget.open)} sx={{ mt: 1 }}>
      <Typography component="summary" variant="body2" sx={{ cursor: 'pointer' }}>
        {t('table', { smart_count: rows.length })}
      </Typography>
      {isOpen && (
        <PlainTable
          label={t('valuesOf', { title })}
          keyOf={(at) => at}
          rows={rows}
          columns={[
            { label: over.label, cell: over.textAt },
            ...lines.map(({ name, points }) => ({
              label: name,
              cell: (at: number) => textOr(points[at], textOf, t('noData')),
              isEnd: true,
            })),
          ]}
        />
      )}
    </Box>
  );
}

export const textOr = (value: number | null | undefined, textOf: (value: number) => string, none: string): string =>
  value === null || value === undefined ? none : textOf(value);

async function saveCsv(title: string, places: Places, lines: readonly Line[]): Promise<void> {
  const text = await seriesCsv(places, lines);
  saveFile(new Blob([text], { type: 'text/csv' }), `${title}.csv`);
}
