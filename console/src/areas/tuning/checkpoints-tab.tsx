// The checkpoints of a task, newest first: the next run goes on from the newest one that is kept, and a version can be made of it.

import type { CheckpointView } from '@gantry/contract/areas/tuning/tuning.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { FineTuneView } from '@gantry/contract/kinds/fine-tune.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { ActionQuestion } from '../../parts/action-question.tsx';
import { useCurveWords } from '../../parts/curves/use-curve-words.ts';
import { PlainTable } from '../../parts/plain-table.tsx';
import { Section } from '../../parts/section.tsx';
import { useTuningWords } from './use-tuning-words.ts';

const TONES = { arriving: 'progress', kept: 'good', failed: 'bad' } as const;

interface TaskProps {
  task: FineTuneView;
}

export function CheckpointsTab({ task }: TaskProps) {
  const t = useTuningWords();
  const { data, error, refetch } = useCall(CALLS.listFineTuneCheckpoints, { params: { id: task.id } });
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows />;
  return (
    <Section title={t('checkpoints.title')} lead={t('checkpoints.lead')} actions={<Save task={task} />}>
      {task.is_saving && (
        <Typography role="status" variant="body2" sx={{ mb: 1 }}>
          {t('result.saving')}
        </Typography>
      )}
      {data.length === 0 ? (
        <EmptyState title={t('checkpoints.none')} hint={t('checkpoints.noneHint')} />
      ) : (
        <Table checkpoints={data} />
      )}
    </Section>
  );
}

function Table({ checkpoints }: { checkpoints: readonly CheckpointView[] }) {
  const t = useTuningWords();
  const curves = useCurveWords();
  const ui = useUiWords();
  const number = numberText;
  const hasProblem = checkpoints.some(({ problem }) => problem !== null);
  return (
    <PlainTable
      label={t('checkpoints.title')}
      rows={checkpoints}
      keyOf={({ run, step }) => `${run} ${step}`}
      columns={[
        { label: curves('curves.step'), cell: ({ step }) => number(step), isEnd: true },
        { label: t('checkpoints.run'), cell: ({ run }) => run, isEnd: true },
        {
          label: ui('fields.status'),
          cell: ({ state }) => (
            <PhaseChip label={t(`checkpoints.states.${state}`)} tone={TONES[state]} message={null} />
          ),
        },
        ...(hasProblem
          ? [{ label: t('checkpoints.problem'), cell: ({ problem }: CheckpointView) => problem?.message ?? '–' }]
          : []),
        { label: ui('fields.size'), cell: ({ size_bytes: size }) => bytesText(size), isEnd: true },
        { label: ui('fields.createTime'), cell: ({ create_time: time }) => timeText(time) },
        { label: t('checkpoints.kept'), cell: ({ kept_time: time }) => timeText(time) },
      ]}
    />
  );
}

/** The newest one becomes a version; which commands there are comes with the task. */
function Save({ task }: TaskProps) {
  const t = useTuningWords();
  const [isAsked, setAsked] = useState(false);
  const row = task.actions.find(({ action }) => action === 'save');
  if (!row || !task.checkpoint) return null;
  const close = () => setAsked(false);
  return (
    <>
      <Guarded node="fineTune.save">
        <Button variant="outlined" onClick={() => setAsked(true)}>
          {row.label}
        </Button>
      </Guarded>
      {isAsked && (
        <ActionQuestion
          kind="fineTune"
          target={task}
          row={row}
          question={{ text: t('ask.save', { step: task.checkpoint.step }) }}
          onDone={close}
          onClose={close}
        />
      )}
    </>
  );
}
