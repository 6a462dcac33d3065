// What a preview shows while there is none, and that it is on its way.
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { isOfField } from '../../parts/workload/cost-panel.tsx';
import type { TunePreview } from './use-tune-preview.ts';
import { useTuningWords } from './use-tuning-words.ts';

type Shown = Extract<TunePreview, { state: 'shown' }>['preview'];

interface PreviewStateProps {
  asked: TunePreview;
  /** The shape of what is coming. */
  rows: number;
  children(preview: Shown): ReactNode;
}

export function PreviewState({ asked, rows, children }: PreviewStateProps) {
  const t = useTuningWords();
  switch (asked.state) {
    case 'denied':
      return null;
    case 'incomplete':
      return (
        <Typography variant="body2" color="text.secondary">
          {t('preview.incomplete')}
        </Typography>
      );
    case 'loading':
      return <LoadingRows rows={rows} />;
    case 'preparing':
      return (
        <Alert severity="info" role="status">
          {t('preview.preparing', { percent: asked.percent })}
        </Alert>
      );
    case 'failed':
      // Asked again, a field that is wrong is wrong again.
      return isOfField(asked.error) || asked.error.error === 'base_untrainable' ? (
        <Alert severity="warning">{asked.error.message}</Alert>
      ) : (
        <ErrorState error={asked.error} onRetry={asked.retry} />
      );
    default:
      return (
        <>
          <Typography variant="caption" color="text.secondary" role="status" sx={{ '&:empty': { display: 'none' } }}>
            {asked.isUpdating ? t('preview.updating') : ''}
          </Typography>
          {children(asked.preview)}
        </>
      );
  }
}
