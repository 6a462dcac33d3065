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
export function EmptyState({ title, hint, icon, children }: EmptyStateProps) {
  const t = useUiWords();
  return (
    <Box sx={{ textAlign: 'center', py: 6, px: 2, color: 'text.secondary' }}>
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

/** Shown if a filter leaves nothing. */
export function NoMatch({ onClear }: { onClear?: () => void }) {
  const t = useUiWords();
  return (
    <EmptyState title={t('states.noMatch')}>
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
