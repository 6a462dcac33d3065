// The states that an object was in, newest first: since when, and why.
import { KIND_CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { ActedKind } from './action-calls.ts';
import { momentIn, within } from './moment.ts';
import { Section } from './section.tsx';
import { TimeLine } from './time-line.tsx';
import { usePartsWords } from './use-parts-words.ts';

export function StateHistory({ kind, id }: { kind: ActedKind; id: string }) {
  const t = usePartsWords();
  // A chart's part leads here.
  const [moment, setMoment] = useState(() => momentIn(location.search));
  const { data, error, refetch } = useCall(KIND_CALLS[kind].history, { params: { id } });
  return (
    <Section
      title={t('page.states')}
      {...(moment && {
        lead: t('page.moment', { start: timeText(moment.from), end: timeText(moment.to) }),
        actions: <Button onClick={() => setMoment(undefined)}>{t('page.allStates')}</Button>,
      })}
    >
      {data ? (
        <TimeLine
          rows={(moment ? within(data, moment) : data).map(({ phase_label: label, tone, message, since }, at) => ({
            key: `${since} ${at}`,
            isLasting: at === 0 && !moment,
            content: (
              <>
                <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mb: 0.5 }}>
                  <Typography variant="body2">{timeText(since)}</Typography>
                  {/* Nothing that is over is under way. */}
                  <PhaseChip label={label} tone={at > 0 && tone === 'progress' ? 'neutral' : tone} />
                </Box>
                {message !== null && (
                  <Typography variant="body2" color="text.secondary" sx={{ overflowWrap: 'anywhere' }}>
                    {message}
                  </Typography>
                )}
              </>
            ),
          }))}
          empty={<EmptyState />}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={3} height={48} />
      )}
    </Section>
  );
}
