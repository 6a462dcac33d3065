// The workers of a run: how far each is, where, its exit, its log and its terminal.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { openInTab } from '../../../parts/open-in-tab.ts';
import { PlainTable, phaseColumn } from '../../../parts/plain-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { timeColumns } from './running-time.tsx';

type Run = JobView['runs'][number];

export function WorkerTable({ job: { id, actions, spec }, run }: { job: JobView; run: Run }) {
  const t = useDeployWords();
  const ui = useUiWords();
  const mayOpen = actions.some(({ action }) => action === 'login');
  const logOf = (rank: number) =>
    `/deploy/job/${id}/logs?${new URLSearchParams({ run: `${run.number}`, worker: `${rank}` })}`;
  return (
    <Section title={t('workers.ofRun', { number: run.number })}>
      <PlainTable
        label={t('workers.ofRun', { number: run.number })}
        rows={run.workers}
        keyOf={({ rank }) => rank}
        columns={[
          { label: t('workers.rank'), cell: ({ rank }) => rank },
          phaseColumn(ui('fields.status')),
          { label: t('workers.node'), cell: ({ node }) => node ?? '–' },
          ...timeColumns(t),
          {
            label: ui('fields.actions'),
            cell: ({ rank, phase }) => (
              <Box sx={{ display: 'flex', gap: 1.5 }}>
                <Link component={RouterLink} to={logOf(rank)} aria-label={t('workers.logOf', { rank })}>
                  {t('workers.log')}
                </Link>
                {mayOpen && phase === 'running' && (
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
                {phase === 'running' &&
                  (spec.ports ?? []).map(({ name, port }) => (
                    <PortLink key={port} id={id} worker={rank} port={port} name={name ?? `${port}`} />
                  ))}
              </Box>
            ),
          },
        ]}
      />
    </Section>
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
