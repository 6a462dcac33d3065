// Advice for a job that fails because of its settings, or that never fits.
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { useDeployWords } from '../use-deploy-words.ts';

export function JobRemedy({ job: { id, tone, reason, runs, actions } }: { job: JobView }) {
  const t = useDeployWords();
  const edit = (tone === 'bad' || reason === 'NotFitting') && actions.find(({ action }) => action === 'edit');
  const failed = tone === 'bad' ? runs[0]?.workers.find(({ phase }) => phase === 'failed') : undefined;
  if (!edit && !failed) return null;
  const log = new URLSearchParams({ run: `${runs[0]?.number}`, worker: `${failed?.rank}` });
  return (
    <Box sx={{ mt: 1, display: 'flex', gap: 1, flexWrap: 'wrap' }}>
      {failed && (
        <Button component={Link} to={`/deploy/job/${id}/logs?${log}`} color="inherit" variant="outlined" size="small">
          {t('workers.logOf', { rank: failed.rank })}
        </Button>
      )}
      {edit && (
        <Guarded node="job.edit" isHidden>
          <Button component={Link} to={`/deploy/job/${id}/edit`} color="inherit" variant="outlined" size="small">
            {edit.label}
          </Button>
        </Guarded>
      )}
    </Box>
  );
}
