// The logs of a service's replicas. They are gone with the replica; of one that was started again, those before are there too.
import type { Call } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { useSearchParams } from 'react-router';
import { ReplicaLog } from '../../../parts/log/replica-log.tsx';
import { useDeployWords } from '../use-deploy-words.ts';

export function ServiceLogs({ service: { id, pods } }: { service: ServiceView }) {
  const t = useDeployWords();
  const [query] = useSearchParams();
  return (
    <ReplicaLog
      pods={pods}
      first={query.get('replica')}
      sourceOf={(pod, query) => ({ call: CALLS.getServiceReplicaLog as Call, params: { id, pod }, query })}
      words={{
        none: t('replicas.none'),
        choose: t('replicas.choose'),
        previous: t('replicas.previous'),
        logOf: (name) => t('replicas.logOf', { name }),
      }}
    />
  );
}
