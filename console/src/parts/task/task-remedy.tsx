// Advice for a task that fails because of its settings, or that never fits.
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import type { Task } from './task.ts';
import { useTaskWords } from './use-task-words.ts';
import { logOf } from './worker-table.tsx';

interface TaskRemedyProps {
  /** The path of its page. */
  path: string;
  /** The node that permits its edit. */
  node: string;
  task: Task;
}

export function TaskRemedy({ path, node, task: { tone, reason, runs, actions } }: TaskRemedyProps) {
  const t = useTaskWords();
  const edit = (tone === 'bad' || reason === 'NotFitting') && actions.find(({ action }) => action === 'edit');
  const [newest] = tone === 'bad' ? runs : [];
  const failed = newest?.workers.find(({ phase }) => phase === 'failed');
  if (!edit && !failed) return null;
  return (
    <Box sx={{ mt: 1, display: 'flex', gap: 1, flexWrap: 'wrap' }}>
      {newest && failed && (
        <Button component={Link} to={logOf(path, newest, failed)} color="inherit" variant="outlined" size="small">
          {t('workers.logOf', { rank: failed.rank })}
        </Button>
      )}
      {edit && (
        <Guarded node={node} isHidden>
          <Button component={Link} to={`${path}/edit`} color="inherit" variant="outlined" size="small">
            {edit.label}
          </Button>
        </Guarded>
      )}
    </Box>
  );
}
