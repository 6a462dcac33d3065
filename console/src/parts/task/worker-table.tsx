// The workers of a run: how far each is, where, its exit and its log.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { PlainTable, phaseColumn } from '../plain-table.tsx';
import { Section } from '../section.tsx';
import { timeColumns } from './running-time.tsx';
import type { TaskRun, TaskWorker } from './task.ts';
import { useTaskWords } from './use-task-words.ts';

interface WorkerTableProps {
  /** The path of the task's page. */
  path: string;
  run: TaskRun;
  /** Beside the link to its log. */
  more?: (worker: TaskWorker) => ReactNode;
}

export function WorkerTable({ path, run, more }: WorkerTableProps) {
  const t = useTaskWords();
  const ui = useUiWords();
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
            cell: (worker) => (
              <Box sx={{ display: 'flex', gap: 1.5 }}>
                <Link
                  component={RouterLink}
                  to={logOf(path, run, worker)}
                  aria-label={t('workers.logOf', { rank: worker.rank })}
                >
                  {t('workers.log')}
                </Link>
                {more?.(worker)}
              </Box>
            ),
          },
        ]}
      />
    </Section>
  );
}

/** The log of one worker of a run, on the task's page. */
export const logOf = (path: string, { number }: TaskRun, { rank }: TaskWorker): string =>
  `${path}/logs?${new URLSearchParams({ run: `${number}`, worker: `${rank}` })}`;
