// A page's placeholder states: loading, failed, empty, or no match.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { ApiProblem, sentenceOr } from '../client/api-problem.ts';
import { useUiWords } from '../i18n/use-words.tsx';

interface EmptyStateProps {
  title?: string;
  /** The first thing to do. */
  hint?: ReactNode;
  children?: ReactNode;
  icon?: ReactNode;
}

/** 'There is currently no data available.' where no title is given. */
export function EmptyState({ title, hint, icon = <Drawing />, children }: EmptyStateProps) {
  const t = useUiWords();
  return (
    <Box sx={{ textAlign: 'center', py: 5, px: 2, color: 'text.secondary' }}>
      {icon}
      <Typography variant="h3" component="p" color="text.primary">
        {title ?? t('states.none')}
      </Typography>
      {hint !== undefined && (
        <Typography variant="body2" component="div" sx={{ mt: 1, mx: 'auto', maxWidth: '36rem' }}>
          {hint}
        </Typography>
      )}
      {children !== undefined && (
        <Box sx={{ mt: 2, display: 'flex', gap: 1, justifyContent: 'center' }}>{children}</Box>
      )}
    </Box>
  );
}

/** Rows that are not there yet; or a lens over them. */
function Drawing({ isSearch = false }: { isSearch?: boolean }) {
  return (
    <Box
      component="svg"
      viewBox="0 0 96 56"
      aria-hidden
      sx={{
        display: 'block',
        width: 96,
        height: 56,
        mx: 'auto',
        mb: 2,
        fill: 'none',
        stroke: 'var(--mui-palette-neutral-4)',
        strokeWidth: 1.5,
        strokeLinecap: 'round',
        '& .accent': { stroke: 'var(--mui-palette-primary-main)' },
      }}
    >
      {[6, 24, 42].map((y) => (
        <g key={y} opacity={1 - (y - 6) / 60}>
          <rect x={8} y={y - 4} width={80} height={14} rx={4} fill="var(--mui-palette-background-paper)" />
          <path d={`M24 ${y + 3}h${y === 24 ? 26 : 36}M72 ${y + 3}h8`} />
          <circle cx={16} cy={y + 3} r={2} className={y === 6 ? 'accent' : ''} />
        </g>
      ))}
      {isSearch && (
        <g strokeWidth={2} className="accent">
          <circle cx={64} cy={30} r={10} fill="var(--mui-palette-background-paper)" className="accent" />
          <path d="m71.5 37.5 8 8" className="accent" />
        </g>
      )}
    </Box>
  );
}

/** Shown if a filter leaves nothing. */
export function NoMatch({ onClear }: { onClear?: () => void }) {
  const t = useUiWords();
  return (
    <EmptyState title={t('states.noMatch')} icon={<Drawing isSearch />}>
      {onClear && <Button onClick={onClear}>{t('states.clearFilter')}</Button>}
    </EmptyState>
  );
}

interface ErrorStateProps {
  error: unknown;
  /** The sentence about an error that is none of the API's. */
  otherwise?: string;
  onRetry?: () => void;
}

/** The server's sentence, and a way to try again; of what another data centre does not offer yet, the sentence alone. */
export function ErrorState({ error, otherwise, onRetry }: ErrorStateProps) {
  const t = useUiWords();
  const isElsewhere = error instanceof ApiProblem && error.error === 'placed_elsewhere';
  return (
    <Alert
      severity={isElsewhere ? 'info' : 'error'}
      action={
        onRetry &&
        !isElsewhere && (
          <Button color="inherit" size="small" onClick={onRetry}>
            {t('actions.retry')}
          </Button>
        )
      }
    >
      {sentenceOr(error, otherwise ?? t('toasts.failed'))}
    </Alert>
  );
}

/** The shape of the coming content, so that nothing moves when it arrives. */
export function LoadingRows({ rows = 6, height = 40 }: { rows?: number; height?: number }) {
  const t = useUiWords();
  return (
    <Box role="status" aria-label={t('states.loading')}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never change places
        <Skeleton key={row} variant="rounded" height={height} sx={{ mb: 1 }} />
      ))}
    </Box>
  );
}

/** Widths of the bars in a row that is on its way, in %: unlike each other, as words are. */
const BARS = [62, 40, 55, 30, 45, 70] as const;

/** The shape of a table that is on its way: its frame, its headings, and a bar for each word. */
export function LoadingTable({ rows = 6, rowPx }: { rows?: number; rowPx?: number }) {
  const t = useUiWords();
  return (
    <div className="data-table-frame" role="status" aria-label={t('states.loading')}>
      {Array.from({ length: rows + 1 }, (_, row) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never change places
          key={row}
          sx={{
            display: 'grid',
            gridTemplateColumns: '3fr repeat(3, 2fr)',
            alignItems: 'center',
            gap: 3,
            px: 1.5,
            height: row === 0 || rowPx === undefined ? 'var(--row-height)' : rowPx,
            ...(row > 0 && { borderTop: 1, borderColor: 'divider' }),
          }}
        >
          {[0, 1, 2, 3].map((column) => (
            <Skeleton
              key={column}
              variant="rounded"
              height={row === 0 ? 8 : 10}
              width={`${row === 0 ? 30 : BARS[(row + column * 2) % BARS.length]}%`}
            />
          ))}
        </Box>
      ))}
    </div>
  );
}
