// A task's facts: how far it is, what it has made, what it is trained on and how, its times and its cost.

import type { FineTuneView } from '@gantry/contract/kinds/fine-tune.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useCurveWords } from '../../parts/curves/use-curve-words.ts';
import { type Fact, FactList } from '../../parts/fact-list.tsx';
import { Section } from '../../parts/section.tsx';
import { useSpan } from '../../parts/task/use-span.ts';
import { useRunFacts, useTaskFacts } from '../../parts/task/use-task-facts.tsx';
import { useTaskWords } from '../../parts/task/use-task-words.ts';
import { useNameOf, useReadableDatasets, useReadableModels } from '../../parts/use-names.ts';
import { UsedBar } from '../../parts/used-bar.tsx';
import { usePeople } from '../../parts/workload/use-people.ts';
import { isMerged } from './choices.ts';
import { DatasetLink, ModelLink } from './links.tsx';
import { DeployButton, EvaluateButton } from './made-version.tsx';
import { useTuningWords } from './use-tuning-words.ts';

interface OverviewProps {
  task: FineTuneView;
}

const SECOND_MS = 1000;
const MI = 1024 ** 2;
const DIGITS = 4;
const figure = (value: number | null): string => (value === null ? '–' : `${Number(value.toPrecision(DIGITS))}`);

export function Progress({ task: { training, progress, rehearsal, end_time: end } }: OverviewProps) {
  const t = useTuningWords();
  const curves = useCurveWords();
  const number = numberText;
  const span = useSpan();
  if (training === null && progress === null) return null;
  const { time } = training ?? progress ?? {};
  const isOver = end !== null;
  const left = isOver ? null : (training?.seconds_left ?? null);
  const memory = rehearsal && bytesText(rehearsal.peak_memory_mi * MI);
  return (
    <Section title={t('progress.title')} lead={t('progress.said', { time: timeText(time ?? null) })}>
      <Typography aria-live="polite" sx={{ fontWeight: 600 }}>
        {[
          !isOver && progress?.step_label,
          training && t('progress.steps', { step: number(training.step), of: number(training.of) }),
          left !== null && left > 0 && t('progress.left', { value: span(left * SECOND_MS) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
      {training && <UsedBar used={training.step} total={training.of} label={t('progress.bar')} />}
      {training && (
        <Figures
          figures={[
            [curves('curves.loss'), figure(training.loss)],
            [curves('curves.eval_loss'), figure(training.eval_loss)],
            [t('progress.epoch'), figure(training.epoch)],
            [curves('curves.learning_rate'), figure(training.learning_rate)],
            [t('progress.tokens'), number(training.tokens)],
            [curves('curves.tokens_per_second'), figure(training.tokens_per_second)],
          ]}
        />
      )}
      {memory && (
        <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
          {t('progress.rehearsal', { memory, seconds: figure(rehearsal.seconds_per_step) })}
        </Typography>
      )}
    </Section>
  );
}

function Figures({ figures }: { figures: readonly (readonly [label: string, value: string])[] }) {
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fill, minmax(9rem, 1fr))',
        gap: 2,
        m: 0,
        mt: 2,
      }}
    >
      {figures.map(([label, value]) => (
        <div key={label}>
          <Typography component="dt" variant="body2" color="text.secondary">
            {label}
          </Typography>
          <Typography component="dd" sx={{ m: 0, fontSize: 20, lineHeight: 1.4 }}>
            {value}
          </Typography>
        </div>
      ))}
    </Box>
  );
}

/** What the newest run makes, and what was last made from a checkpoint. */
export function Result({ task }: OverviewProps) {
  const t = useTuningWords();
  const nameOf = useNameOf(useReadableModels());
  const { id, base, output, saved, is_saving: isSaving, outcome, spec } = task;
  const made = [
    output.model !== null &&
      output.version !== null && {
        label: t('result.made'),
        model: output.model,
        version: output.version,
        isReady: output.is_ready,
        isAdapter: !isMerged(spec),
      },
    // A checkpoint of an adapter is an adapter.
    saved && {
      label: t('result.saved', { step: saved.step }),
      model: saved.model,
      version: saved.version,
      isReady: saved.is_ready,
      isAdapter: spec.method !== 'Full',
    },
  ].filter((one) => one !== null && one !== false);
  const notes = [
    ...(isSaving ? [t('result.saving')] : []),
    ...(output.ended === null ? [] : [output.ended === 'EarlyStop' ? t('result.early') : output.ended]),
    ...(outcome?.rejected ? [t('result.rejected', { smart_count: outcome.rejected })] : []),
  ];
  if (made.length === 0 && notes.length === 0 && !outcome?.problem) return null;
  return (
    <Section title={t('result.title')} {...(notes.length > 0 && { lead: notes.join(' ') })}>
      {outcome?.problem && <Alert severity="error">{outcome.problem}</Alert>}
      {made.length > 0 && (
        <FactList
          facts={made.map(({ label, model, version, isReady, isAdapter }) => ({
            label,
            value: (
              <>
                <ModelLink id={model} name={nameOf(model)} />
                {` · ${version} · ${t(!isReady ? 'result.notReady' : isAdapter ? 'forms.Adapter' : 'forms.Merged')}`}
              </>
            ),
            action: (
              <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', justifyContent: 'flex-end' }}>
                <DeployButton {...{ id, base, model, version, isAdapter, isReady }} />
                <EvaluateButton {...{ id, base, model, version, isAdapter, isReady }} measured={spec.evalDataset} />
              </Box>
            ),
          }))}
        />
      )}
    </Section>
  );
}

export function Facts({ task }: OverviewProps) {
  const t = useTuningWords();
  const words = useTaskWords();
  const ui = useUiWords();
  const nameOfPerson = usePeople();
  const times = useTaskFacts(task);
  const run = useRunFacts(task.spec);
  const training = useTrainingFacts(task);
  return (
    <Section title={t('facts.overview')}>
      <FactList
        isDense
        facts={[
          ...training,
          ...times,
          { label: t('fields.specification'), value: task.specification },
          { label: t('fields.workers'), value: task.workers },
          ...(task.host === null ? [] : [{ label: t('facts.place'), value: task.host }]),
          ...run,
          ...(task.excluded_nodes.length > 0
            ? [{ label: words('facts.excludedNodes'), value: task.excluded_nodes.join(', ') }]
            : []),
          { label: ui('fields.creator'), value: nameOfPerson(task.creator) },
          { label: ui('fields.createTime'), value: timeText(task.create_time) },
        ]}
      />
    </Section>
  );
}

function useTrainingFacts({ base, datasets, output, spec, ...task }: FineTuneView): readonly Fact[] {
  const t = useTuningWords();
  const nameOfModel = useNameOf(useReadableModels());
  const nameOfDataset = useNameOf(useReadableDatasets());
  const { epochs, maxSteps, batch = 8, accumulate = 1, maxLength = 2048, learningRate } = spec.parameters ?? {};
  const shown = ({ dataset, version, weight }: FineTuneView['datasets'][number]) => (
    <div key={`${dataset} ${weight}`}>
      <DatasetLink id={dataset} name={nameOfDataset(dataset)} version={version} />
      {` · ${version === null ? t('fields.newestVersion') : t('fields.version', { version })}`}
      {weight !== null && weight !== 1 && ` · ${t('fields.weighs', { weight })}`}
    </div>
  );
  const measured = datasets.filter(({ weight }) => weight === null);
  return [
    {
      label: t('fields.base'),
      value: (
        <>
          <ModelLink id={base.model} name={base.name ?? nameOfModel(base.model)} />
          {` · ${base.version}`}
        </>
      ),
    },
    { label: t('fields.training'), value: datasets.filter(({ weight }) => weight !== null).map(shown) },
    ...(measured.length > 0 ? [{ label: t('fields.measured'), value: measured.map(shown) }] : []),
    { label: t('fields.method'), value: `${task.method_label} · ${task.objective_label}` },
    {
      label: t('form.parameters'),
      value: [
        maxSteps === undefined
          ? t('facts.epochs', { smart_count: epochs ?? 3 })
          : t('facts.steps', { steps: maxSteps }),
        t('facts.batch', { batch, accumulate }),
        t('facts.length', { tokens: maxLength }),
        ...(learningRate === undefined ? [] : [t('facts.rate', { rate: learningRate })]),
      ].join(' · '),
    },
    {
      label: t('fields.output'),
      value: (
        <>
          <ModelLink id={output.model} name={output.model === null ? output.name : nameOfModel(output.model)} />
          {` · ${t(isMerged(spec) ? 'forms.Merged' : 'forms.Adapter')}`}
          {spec.output.gguf && ' · GGUF'}
        </>
      ),
    },
  ];
}
