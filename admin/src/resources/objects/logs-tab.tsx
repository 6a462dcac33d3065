// The logs that staff may ask for: those of the runs of an instance or of a job, worker by worker, and of the replicas of a service.
import {
  type AdminKindName,
  type KindAbout,
  logId,
  replicaLogId,
} from '@gantry/contract/areas/kinds/admin-computing.ts';
import { TimeText } from '../../parts/field-value.tsx';
import { NodeLink } from './about-tabs.tsx';
import { LogReader } from './log-reader.tsx';
import { useComputingWords } from './use-computing-words.ts';

interface LogsProps {
  resource: string;
  id: string;
}

type Run = KindAbout['runs'][number];

export function RunLogs({ resource, id, runs }: LogsProps & Pick<KindAbout, 'runs'>) {
  const t = useComputingWords();
  return (
    <LogReader
      rows={runs}
      nameOf={({ number, worker }: Run) =>
        worker === undefined ? `${number}` : t('logs.ofWorker', { number, worker })
      }
      pathOf={({ number }) => `${resource}/${encodeURIComponent(id)}/runs/${number}/log`}
      queryOf={({ worker }) => (worker === undefined ? {} : { worker: `${worker}` })}
      node={logId(resource as AdminKindName)}
      label={t('logs.run')}
      columns={[
        [t('logs.started'), ({ start_time }) => <TimeText time={start_time} />],
        [t('logs.ended'), ({ end_time }) => <TimeText time={end_time} />],
        [t('logs.how'), ({ exit_label }) => exit_label ?? '–'],
      ]}
      none={t('logs.none')}
    />
  );
}

export function ReplicaLogs({ resource, id, pods }: LogsProps & Pick<KindAbout, 'pods'>) {
  const t = useComputingWords();
  return (
    <LogReader
      rows={pods}
      nameOf={({ name }) => name}
      pathOf={({ name }) => `${resource}/${encodeURIComponent(id)}/replica/${encodeURIComponent(name)}/log`}
      node={replicaLogId(resource as AdminKindName)}
      label={t('logs.replica')}
      columns={[
        [t('events.node'), ({ node }) => <NodeLink node={node} />],
        [t('events.phase'), ({ phase }) => phase],
      ]}
      none={t('logs.noReplicas')}
    />
  );
}
