// The units of a task with their states and reasons: what failed can be tried again, and what was rejected downloaded.
import type { ProcessUnitView } from '@gantry/contract/areas/processing/processing.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DataProcessView } from '@gantry/contract/kinds/data-process.ts';
import { useApi, useList } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { FilterChoice } from '@gantry/ui/table/filter-choice.tsx';
import { useFilters } from '@gantry/ui/table/use-filters.ts';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { EmptyState, NoMatch } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useMemo, useState } from 'react';
import { useAct } from '../../parts/action-calls.ts';
import { chunksOf } from '../../parts/files/save-download.ts';
import { useSaving } from '../../parts/files/use-saving.ts';
import { useProcessingWords } from './use-processing-words.ts';

const STATES = ['failed', 'skipped', 'done'] as const;
const TONES = { done: 'good', failed: 'bad', skipped: 'neutral' } as const;

export function UnitsTab({ task }: { task: DataProcessView }) {
  const t = useProcessingWords();
  const { id, progress } = task;
  const { values, isFiltered, set, clear } = useFilters(['state'], { by: '', type: 'asc' });
  const list = useList(CALLS.listDataProcessUnits, { params: { id }, query: values });
  const { again } = list;
  const counted = progress?.time;
  // The stream brings the task, and not its units.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each count, and not with each drawing
  useEffect(() => again(), [counted]);
  return (
    <>
      <Typography variant="body2" color="text.secondary" sx={{ mb: 1 }}>
        {t('units.lead')}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', mb: 2 }}>
        <Box sx={{ width: '12rem' }}>
          <FilterChoice
            label={t('units.state')}
            any={t('units.anyState')}
            value={values.state ?? ''}
            options={STATES.map((state) => [state, t(`units.states.${state}`)])}
            onChange={(state) => set('state', state)}
          />
        </Box>
        <Typography variant="body2" role="status" sx={{ flex: 1 }}>
          {progress && <Counts progress={progress} />}
        </Typography>
        <SaveRejected task={task} />
        <TryAgain task={task} />
      </Box>
      <DataTable
        label={t('units.title')}
        columns={useColumns()}
        list={list}
        idOf={({ unit }) => unit}
        nameOf={({ label }) => label}
        empty={isFiltered ? <NoMatch onClear={clear} /> : <NoUnits task={task} />}
      />
    </>
  );
}

/** What asks no model is done in one step, of which only the numbers are kept. */
function NoUnits({ task: { phase, progress } }: { task: DataProcessView }) {
  const t = useProcessingWords();
  const isUnlisted = phase === 'success' && progress !== null && progress.of > 0;
  return isUnlisted ? (
    <EmptyState title={t('units.unlisted')} hint={t('units.unlistedHint')} />
  ) : (
    <EmptyState title={t('units.empty')} hint={t('units.emptyHint')} />
  );
}

function Counts({ progress: { done, failed, skipped, of } }: { progress: NonNullable<DataProcessView['progress']> }) {
  const t = useProcessingWords();
  const counted = { done, failed, skipped, pending: Math.max(0, of - done - failed - skipped) };
  return (['done', 'failed', 'skipped', 'pending'] as const)
    .map((state) => `${t(`progress.${state}`)}: ${counted[state]}`)
    .join(' · ');
}

function useColumns(): readonly Column<ProcessUnitView>[] {
  const t = useProcessingWords();
  return useMemo(
    () => [
      {
        id: 'label',
        label: t('units.label'),
        width: 'minmax(10rem, 3fr)',
        cell: ({ label, unit }) => <span title={`${label} ${unit}`}>{label}</span>,
      },
      {
        id: 'state',
        label: t('units.state'),
        width: '8rem',
        cell: ({ state }) => <PhaseChip label={t(`units.states.${state}`)} tone={TONES[state]} message={null} />,
      },
      {
        id: 'reason',
        label: t('units.reason'),
        width: 'minmax(10rem, 3fr)',
        cell: ({ reason_label: reason }) => <span title={reason ?? ''}>{reason ?? '–'}</span>,
      },
      { id: 'rows', label: t('units.rows'), width: '5rem', align: 'end', cell: ({ rows }) => rows },
      { id: 'rejected', label: t('units.rejected'), width: '6rem', align: 'end', cell: ({ rejected }) => rejected },
      {
        id: 'time',
        label: t('units.time'),
        width: '11rem',
        cell: ({ time }) => timeText(time),
        isWideOnly: true,
      },
    ],
    [t],
  );
}

function SaveRejected({ task: { id, name, progress } }: { task: DataProcessView }) {
  const t = useProcessingWords();
  const api = useApi();
  const { isSaving, save } = useSaving();
  if (progress === null || progress.rejected + progress.failed === 0) return null;
  return (
    <Guarded node="downloadDataProcessRejected" isHidden>
      <Button
        loading={isSaving}
        onClick={() =>
          void save({ name: `${name}-rejected.jsonl`, size: undefined }, () =>
            chunksOf(api, CALLS.downloadDataProcessRejected, { params: { id } }),
          )
        }
      >
        {t('units.download')}
      </Button>
    </Guarded>
  );
}

/** Where units of the newest run have failed: another run does these, and nothing that is done. */
function TryAgain({ task: { id, actions, progress } }: { task: DataProcessView }) {
  const t = useProcessingWords();
  const [isAsked, setAsked] = useState(false);
  const close = () => setAsked(false);
  const command = useAct('dataProcess', { isQuiet: true, onSuccess: close });
  const failed = progress?.failed ?? 0;
  if (!actions.some(({ action }) => action === 'tryAgain')) return null;
  return (
    <>
      <Guarded node="dataProcess.tryAgain">
        <Button variant="contained" onClick={() => setAsked(true)}>
          {t('units.tryAgain')}
        </Button>
      </Guarded>
      {isAsked && (
        <ConfirmDialog
          title={t('units.tryAgainAsk', { smart_count: failed })}
          confirmLabel={t('units.tryAgain')}
          isBusy={command.isPending}
          error={command.error}
          onConfirm={() => command.give(id, 'tryAgain')}
          onClose={close}
        >
          {t('units.tryAgainText')}
        </ConfirmDialog>
      )}
    </>
  );
}
