// How the training has gone from step to step: losses, the learning rate and the speed, over the runs that went on from each other.

import type { TrainingCurveView, TrainingPointView } from '@gantry/contract/fields/training-curve.ts';
import { ChartCard } from '@gantry/ui/chart/chart-card.tsx';
import type { Line } from '@gantry/ui/chart/line.ts';
import { stepPlaces } from '@gantry/ui/chart/places.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { saveFile } from '../save-file.ts';
import { useCurveWords } from './use-curve-words.ts';

const DIGITS = 4;

type Measured = 'loss' | 'eval_loss' | 'learning_rate' | 'tokens_per_second';
const PANELS = [
  ['loss', ['loss', 'eval_loss']],
  ['learningRate', ['learning_rate']],
  ['speed', ['tokens_per_second']],
] as const satisfies readonly (readonly [string, readonly Measured[]])[];

const short = (value: number): string => `${Number(value.toPrecision(DIGITS))}`;

export function CurvePanels({ curve }: { curve: TrainingCurveView }) {
  const t = useCurveWords();
  // Whoever logs a loss alone has no other curve.
  const panels = PANELS.filter(([, measured]) =>
    curve.points.some((point) => measured.some((name) => point[name] !== null)),
  );
  return (
    <>
      <Notes curve={curve} />
      <Box
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
      >
        {panels.map(([name, measured], at) => (
          <Box key={name} sx={{ minWidth: 0, ...(at === 0 && { gridColumn: '1 / -1' }) }}>
            <Panel title={t(`curves.${name}`)} measured={measured} points={curve.points} />
          </Box>
        ))}
      </Box>
    </>
  );
}

/** Where a run went on, and where the loss was no number. */
function Notes({ curve: { points, runs } }: { curve: TrainingCurveView }) {
  const t = useCurveWords();
  const resumed = runs.flatMap(({ run, resumed_from: step }) => (step === null ? [] : [{ run, step }]));
  const broken = points.filter(({ is_broken: isBroken }) => isBroken).map(({ step }) => step);
  return (
    <>
      {resumed.length > 0 && (
        <Typography variant="body2" color="text.secondary" sx={{ mb: 1 }}>
          {resumed.map(({ run, step }) => t('curves.resumed', { run, step: numberText(step) })).join(' ')}
        </Typography>
      )}
      {broken[0] !== undefined && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {t('curves.broken', { step: numberText(broken[0]), smart_count: broken.length })}
        </Alert>
      )}
    </>
  );
}

interface PanelProps {
  title: string;
  measured: readonly Measured[];
  points: readonly TrainingPointView[];
}

function Panel({ title, measured, points }: PanelProps) {
  const t = useCurveWords();
  const label = t('curves.step');
  const lines = useMemo(
    () =>
      measured
        // Nothing is measured where there is no dataset for it.
        .filter((name) => name !== 'eval_loss' || points.some((point) => point.eval_loss !== null))
        .map(
          (name): Line => ({ name: t(`curves.${name}`), points: points.map((point) => point[name]), isSparse: true }),
        ),
    [measured, points, t],
  );
  const places = useMemo(
    () =>
      stepPlaces(
        points.map(({ step }) => step),
        label,
        numberText,
      ),
    [points, label],
  );
  return (
    <ChartCard
      title={title}
      lines={lines}
      unit="none"
      textOf={short}
      places={places}
      file={{ places: () => ({ name: 'step', values: places.values }), save: saveFile }}
    />
  );
}
