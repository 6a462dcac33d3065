// The replicas of a service: how far each is, of which revision, where, its log and its terminal.
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { PlainTable, podColumns } from '../../../parts/plain-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { useTaskWords } from '../../../parts/task/use-task-words.ts';
import { useDeployWords } from '../use-deploy-words.ts';

export function ReplicaTable({ service: { id, pods, replicas, actions } }: { service: ServiceView }) {
  const t = useDeployWords();
  const task = useTaskWords();
  const ui = useUiWords();
  if (pods.length === 0) return <EmptyState title={t('replicas.none')} />;
  const mayOpen = actions.some(({ action }) => action === 'login');
  return (
    <Section title={t('replicas.title')} lead={t('replicas.counts', { ...replicas })}>
      <PlainTable
        label={t('replicas.title')}
        rows={pods}
        keyOf={({ name }) => name}
        columns={[
          ...podColumns(ui),
          { label: t('revisions.present'), cell: ({ revision }) => revision ?? '–' },
          { label: task('workers.node'), cell: ({ node }) => node ?? '–' },
          { label: t('replicas.readySince'), cell: ({ ready_time }) => timeText(ready_time) },
          { label: t('replicas.restarts'), cell: ({ restarts }) => restarts, isEnd: true },
          {
            label: ui('fields.actions'),
            cell: ({ name, phase }) => (
              <Box sx={{ display: 'flex', gap: 1.5 }}>
                <Link
                  component={RouterLink}
                  to={`/deploy/service/${id}/logs?${new URLSearchParams({ replica: name })}`}
                  aria-label={t('replicas.logOf', { name })}
                >
                  {task('workers.log')}
                </Link>
                {mayOpen && (phase === 'ready' || phase === 'failing') && (
                  <Guarded node="openServiceTerminal" isHidden>
                    <Link
                      component={RouterLink}
                      to={`/deploy/service/console/${id}?${new URLSearchParams({ pod: name })}`}
                      target="_blank"
                      aria-label={t('replicas.terminalOf', { name })}
                    >
                      {t('workers.terminal')}
                    </Link>
                  </Guarded>
                )}
              </Box>
            ),
          },
        ]}
      />
    </Section>
  );
}
