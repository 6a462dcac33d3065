// A node: what it is, what runs there, what is wrong with it, and taking it out of service and back.
import type { ComputingRow, NodeAbout } from '@gantry/contract/areas/kinds/admin-computing.ts';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import type { ReactNode } from 'react';
import { useRecordContext } from 'react-admin';
import { FactList } from '../../parts/fact-list.tsx';
import { Facts } from '../../parts/facts.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { PageLoading } from '../../parts/page-loading.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { useAsk } from '../../parts/use-ask.ts';
import { useTableWords } from '../../table-words.ts';
import { tableOf } from '../../tables.ts';
import { AuditEntries, Conditions, Events } from '../objects/about-tabs.tsx';
import { useComputingWords } from '../objects/use-computing-words.ts';
import { NodeCommands } from './node-commands.tsx';
import { PodsOfTenants } from './pods-of-tenants.tsx';

export const Show = () => (
  <AdminShow actions={<NodeCommands />}>
    <NodePage />
  </AdminShow>
);

function NodePage() {
  const t = useComputingWords();
  const { one } = useTableWords('nodes');
  const node = useRecordContext<ComputingRow<'nodes'>>();
  if (!node) return null;
  const about = (content: (about: NodeAbout) => ReactNode) => <About id={node.id} content={content} />;
  return (
    <PageTabs
      label={`${one} ${node.id}`}
      tabs={[
        {
          name: 'overview',
          label: t('tabs.overview'),
          content: (
            <Box sx={{ display: 'grid', gap: 2 }}>
              <Card sx={{ p: 2 }}>
                <FactList name="nodes" fields={Object.keys(tableOf('nodes').fields)} />
              </Card>
              {about(({ conditions, labels }) => (
                <>
                  <Conditions conditions={conditions} />
                  <Card component="section" aria-label={t('node.labels')} sx={{ p: 2 }}>
                    <Facts rows={Object.entries(labels)} />
                  </Card>
                </>
              ))}
            </Box>
          ),
        },
        { name: 'running', label: t('tabs.running'), content: about(({ pods }) => <PodsOfTenants pods={pods} />) },
        { name: 'events', label: t('tabs.events'), content: about(({ events }) => <Events events={events} />) },
        { name: 'audit', label: t('tabs.audit'), content: about(({ audit }) => <AuditEntries audit={audit} />) },
      ]}
    />
  );
}

function About({ id, content }: { id: string; content: (about: NodeAbout) => ReactNode }) {
  const { data, error, refetch } = useAsk<NodeAbout>(`nodes/${encodeURIComponent(id)}/about`);
  if (data) return content(data);
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <PageLoading />;
}
