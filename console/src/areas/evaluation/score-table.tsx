// Scores side by side: subjects are columns, tasks are rows. Each has its interval, as a value alone says too little.

import type { ComparedEvaluationsView, EvaluationScoresView } from '@gantry/contract/areas/evaluation/evaluation.ts';
import { exactText } from '@gantry/ui/format/money.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useEvaluationWords } from './use-evaluation-words.ts';
import { useFigures } from './use-figures.ts';

export type Score = NonNullable<ComparedEvaluationsView['rows'][number]['cells'][number]>;
type Task = Pick<EvaluationScoresView['tasks'][number], 'name' | 'version' | 'metric_label'>;

export interface ScoreColumn {
  readonly key: string;
  readonly head: ReactNode;
}

interface ScoreTableProps {
  label: string;
  columns: readonly ScoreColumn[];
  rows: readonly { readonly task: Task; readonly cells: readonly (Score | null)[] }[];
  currency: string;
  /** Below a score: how it compares. */
  below?: (row: number, column: number) => ReactNode;
}

export function ScoreTable({ label, columns, rows, currency, below }: ScoreTableProps) {
  const t = useEvaluationWords();
  return (
    <SideBySide label={label} corner={t('fields.task')} columns={columns}>
      {rows.map(({ task, cells }, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a task is its place
        <TableRow key={row}>
          <RowHead>
            {task.name}
            <Typography variant="caption" color="text.secondary" component="div">
              {`${task.metric_label} · ${t('fields.version', { version: task.version })}`}
            </Typography>
          </RowHead>
          {columns.map(({ key }, column) => (
            <TableCell key={key} sx={{ verticalAlign: 'top' }}>
              <ScoreCell score={cells[column] ?? null} currency={currency} />
              {below?.(row, column)}
            </TableCell>
          ))}
        </TableRow>
      ))}
    </SideBySide>
  );
}

interface SideBySideProps {
  label: string;
  corner: string;
  columns: readonly ScoreColumn[];
  children: ReactNode;
}

/** A table whose columns are subjects. It scrolls by itself. */
export const SideBySide = ({ label, corner, columns, children }: SideBySideProps) => (
  <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={label}>
    <Table size="small" aria-label={label}>
      <TableHead>
        <TableRow>
          <TableCell scope="col" sx={{ verticalAlign: 'top' }}>
            {corner}
          </TableCell>
          {columns.map(({ key, head }) => (
            <TableCell key={key} scope="col" sx={{ verticalAlign: 'top', minWidth: '12rem' }}>
              {head}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>{children}</TableBody>
    </Table>
  </Box>
);

export const RowHead = ({ children }: { children: ReactNode }) => (
  <TableCell component="th" scope="row" sx={{ verticalAlign: 'top', minWidth: '9rem', overflowWrap: 'anywhere' }}>
    {children}
  </TableCell>
);

function ScoreCell({ score, currency }: { score: Score | null; currency: string }) {
  const t = useEvaluationWords();
  const figures = useFigures();
  const number = numberText;
  if (score === null) return <span title={t('scores.noneHint')}>{t('scores.none')}</span>;
  const { value, n, cost, p50_ms: p50, p99_ms: p99, prompt_tokens: read, completion_tokens: written } = score;
  const lines = [
    t('scores.answers', { smart_count: n, count: number(n) }),
    t('scores.tokens', { read: number(read), written: number(written) }),
    ...(cost === null ? [] : [exactText(cost, currency)]),
    ...(p50 === null && p99 === null ? [] : [`p50 ${figures.time(p50)} · p99 ${figures.time(p99)}`]),
  ];
  return (
    <>
      <Typography component="div" sx={{ fontSize: 18, fontWeight: 600, lineHeight: 1.4 }}>
        {figures.share(value)}
        <Typography component="span" variant="body2" color="text.secondary" sx={{ ml: 1 }} title={t('scores.interval')}>
          {figures.interval(score)}
        </Typography>
      </Typography>
      <IntervalBar {...score} />
      {lines.map((line) => (
        <Typography key={line} variant="caption" color="text.secondary" component="div">
          {line}
        </Typography>
      ))}
    </>
  );
}

const percent = (share: number): string => `${100 * Math.min(1, Math.max(0, share))}%`;

/** Where the value and its interval lie between 0 and 1: two that overlap are seen to. */
const IntervalBar = ({ value, low, high }: Pick<Score, 'value' | 'low' | 'high'>) => (
  <Box aria-hidden sx={{ position: 'relative', height: 8, my: 0.5, borderRadius: 1, bgcolor: 'action.hover' }}>
    <Box
      sx={{ position: 'absolute', top: 2, height: 4, borderRadius: 1, bgcolor: 'primary.main', opacity: 0.4 }}
      style={{ left: percent(low), width: percent(high - low) }}
    />
    <Box
      sx={{ position: 'absolute', top: 0, height: 8, width: 2, bgcolor: 'primary.main' }}
      style={{ left: percent(value) }}
    />
  </Box>
);
