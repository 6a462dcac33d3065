// Ways into a worker that runs: its terminal, and what listens on its ports.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { openInTab } from '../../../parts/open-in-tab.ts';
import type { TaskWorker } from '../../../parts/task/task.ts';
import { useDeployWords } from '../use-deploy-words.ts';

interface WorkerLinksProps {
  job: JobView;
  worker: TaskWorker;
}

export function WorkerLinks({ job: { id, actions, spec }, worker: { rank, phase } }: WorkerLinksProps) {
  const t = useDeployWords();
  if (phase !== 'running') return null;
  return (
    <>
      {actions.some(({ action }) => action === 'login') && (
        <Guarded node="openJobTerminal" isHidden>
          <Link
            component={RouterLink}
            to={`/deploy/job/console/${id}?worker=${rank}`}
            target="_blank"
            aria-label={t('workers.terminalOf', { rank })}
          >
            {t('workers.terminal')}
          </Link>
        </Guarded>
      )}
      {(spec.ports ?? []).map(({ name, port }) => (
        <PortLink key={port} id={id} worker={rank} port={port} name={name ?? `${port}`} />
      ))}
    </>
  );
}

function PortLink({ id, worker, port, name }: { id: string; worker: number; port: number; name: string }) {
  const t = useDeployWords();
  const open = useCommand(CALLS.openJobWeb, { success: false });
  return (
    <Guarded node="openJobWeb" isHidden>
      <Link
        component="button"
        type="button"
        disabled={open.isPending}
        aria-label={t('workers.portOf', { rank: worker, name })}
        onClick={() => openInTab((done) => open.mutate({ params: { id }, body: { port, worker } }, done))}
      >
        {name}
      </Link>
    </Guarded>
  );
}
