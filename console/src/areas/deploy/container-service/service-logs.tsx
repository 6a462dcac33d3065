// The logs of a service's replicas. They are gone with the replica; of one that was started again, those before are there too.
import type { Call } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { PlainField } from '@gantry/ui/form/plain-field.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import { LogOf } from '../../../parts/log/run-log.tsx';
import { useDeployWords } from '../use-deploy-words.ts';

export function ServiceLogs({ service: { id, pods } }: { service: ServiceView }) {
  const t = useDeployWords();
  const [query] = useSearchParams();
  const [chosen, setChosen] = useState(query.get('replica'));
  const [isPrevious, setPrevious] = useState(false);
  const choice = useId();
  const pod = pods.find(({ name }) => name === chosen) ?? pods[0];
  if (!pod) return <EmptyState title={t('replicas.none')} />;
  const wantsPrevious = isPrevious && pod.restarts > 0;
  return (
    <LogOf
      key={`${pod.name} ${pod.restarts} ${wantsPrevious}`}
      source={{
        call: CALLS.getServiceReplicaLog as Call,
        params: { id, pod: pod.name },
        ...(wantsPrevious && { query: { previous: 'true' } }),
      }}
      file={`${pod.name}.log`}
      name={t('replicas.logOf', { name: pod.name })}
      isLive={!wantsPrevious}
    >
      <Box sx={{ width: { xs: '100%', md: '21rem' } }}>
        <PlainField id={choice} label={t('replicas.choose')}>
          <select id={choice} value={pod.name} onChange={({ target }) => setChosen(target.value)}>
            {pods.map(({ name, phase_label }) => (
              <option key={name} value={name}>
                {name} ({phase_label})
              </option>
            ))}
          </select>
        </PlainField>
      </Box>
      {pod.restarts > 0 && (
        <FormControlLabel
          control={<Switch size="small" checked={isPrevious} onChange={(_, is) => setPrevious(is)} />}
          label={t('replicas.previous')}
        />
      )}
    </LogOf>
  );
}
