// The log of one replica of several, as it is written, or as it was before the replica's last restart.
import { PlainField } from '@gantry/ui/form/plain-field.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useId, useState } from 'react';
import { LogOf } from './run-log.tsx';
import type { LogSource } from './use-log.ts';

interface ReplicaLogProps {
  pods: readonly { name: string; phase_label: string; restarts: number }[];
  /** The name of the one to begin with. */
  first?: string | null;
  sourceOf: (pod: string, query: { previous?: 'true' }) => LogSource;
  words: { none: string; choose: string; previous: string; logOf: (name: string) => string };
}

export function ReplicaLog({ pods, first = null, sourceOf, words }: ReplicaLogProps) {
  const [chosen, setChosen] = useState(first);
  const [isPrevious, setPrevious] = useState(false);
  const choice = useId();
  const pod = pods.find(({ name }) => name === chosen) ?? pods[0];
  if (!pod) return <EmptyState title={words.none} />;
  const wantsPrevious = isPrevious && pod.restarts > 0;
  return (
    <LogOf
      key={`${pod.name} ${pod.restarts} ${wantsPrevious}`}
      source={sourceOf(pod.name, wantsPrevious ? { previous: 'true' } : {})}
      file={`${pod.name}.log`}
      name={words.logOf(pod.name)}
      isLive={!wantsPrevious}
    >
      <Box sx={{ width: { xs: '100%', md: '21rem' } }}>
        <PlainField id={choice} label={words.choose}>
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
          label={words.previous}
        />
      )}
    </LogOf>
  );
}
