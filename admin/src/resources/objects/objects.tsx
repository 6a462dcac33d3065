// Tenants' objects of every kind: a list whose rows take one command together, and a page that answers what happened to an object, what it
// costs and what belongs to it.
import type { KindAbout, KindRow } from '@gantry/contract/areas/kinds/admin-computing.ts';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Card from '@mui/material/Card';
import type { ReactNode } from 'react';
import {
  useGetOne,
  useGetRecordRepresentation,
  usePermissions,
  useRecordContext,
  useResourceContext,
} from 'react-admin';
import { AdminList } from '../../parts/admin-list.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { GenericTable } from '../../parts/generic-table.tsx';
import { PageLoading } from '../../parts/page-loading.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { useAsk } from '../../parts/use-ask.ts';
import { useTableWords } from '../../table-words.ts';
import { tableNameOf, tableOf } from '../../tables.ts';
import { AuditEntries, Cost, Events, History, Related, Yaml } from './about-tabs.tsx';
import { batchNodeOf } from './act-node.ts';
import { BulkCommands } from './bulk-commands.tsx';
import { CommandBar } from './command-bar.tsx';
import { ReplicaLogs, RunLogs } from './logs-tab.tsx';
import { useComputingWords } from './use-computing-words.ts';

export function List() {
  const name = tableNameOf(useResourceContext() ?? '');
  const { permissions } = usePermissions<ReadonlySet<string>>();
  return (
    <AdminList>
      <GenericTable {...(permissions?.has(batchNodeOf(name)) && { bulkActions: <BulkCommands /> })} />
    </AdminList>
  );
}

export const Show = () => (
  <AdminShow actions={<CommandBar />}>
    <ObjectPage />
  </AdminShow>
);

/** The fields of a row that a person reads; the manifest has the rest. */
const FACTS = [
  'phase',
  'message',
  'paused',
  'name',
  'organization_id',
  'created_by',
  'gpu',
  'price',
  'region',
  'node',
  'nodes',
  'address',
  'queue_position',
  'replicas',
  'created_at',
  'spec',
] as const;

const POLL_MS = 5_000;

function ObjectPage() {
  const t = useComputingWords();
  const resource = useResourceContext() ?? '';
  const name = tableNameOf(resource);
  const { kind } = tableOf(name);
  const { one } = useTableWords(name);
  const represent = useGetRecordRepresentation();
  const row = useRecordContext<KindRow>();
  // The row is read again and again, so that the effect of a command is seen here.
  useGetOne(resource, { id: row?.id ?? '' }, { enabled: row !== undefined, refetchInterval: POLL_MS });
  if (!row) return null;
  const tab = (key: Exclude<Parameters<typeof labelOf>[0], 'overview'>, content: (about: KindAbout) => ReactNode) => ({
    name: key,
    label: t(labelOf(key)),
    content: <About id={row.id} content={content} />,
  });
  const tabs = [
    {
      name: 'overview',
      label: t('tabs.overview'),
      content: (
        <Card sx={{ p: 2 }}>
          <FactList name={name} fields={FACTS} />
        </Card>
      ),
    },
    tab('history', (about) => <History about={about} />),
    tab('events', (about) => <Events events={about.events} pods={about.pods} />),
    tab('cost', (about) => <Cost about={about} />),
    ...(kind?.hasRuns ? [tab('logs', (about) => <RunLogs resource={name} id={row.id} runs={about.runs} />)] : []),
    ...(kind?.hasReplicas
      ? [tab('logs', (about) => <ReplicaLogs resource={name} id={row.id} pods={about.pods} />)]
      : []),
    tab('yaml', (about) => <Yaml about={about} name={row.name} />),
    tab('related', (about) => <Related about={about} />),
    tab('audit', (about) => <AuditEntries audit={about.audit} />),
  ];
  return <PageTabs label={`${one} ${represent(row)}`} tabs={tabs} />;
}

const labelOf = <Key extends 'overview' | 'history' | 'events' | 'cost' | 'logs' | 'yaml' | 'related' | 'audit'>(
  key: Key,
) => `tabs.${key}` as const;

function About({ id, content }: { id: string; content: (about: KindAbout) => ReactNode }) {
  const name = tableNameOf(useResourceContext() ?? '');
  const { data, error, refetch } = useAsk<KindAbout>(`${name}/${encodeURIComponent(id)}/about`);
  if (data) return content(data);
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <PageLoading />;
}
