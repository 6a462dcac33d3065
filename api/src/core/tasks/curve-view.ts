// The curve of a training, and what its program has logged, as people see them. Pure.
import {
  MOST_CURVE_POINTS,
  type TrainingCurveView,
  type TrainingPointView,
} from '@gantry/contract/fields/training-curve.ts';
import type { RunRow } from './run-rows.ts';
import type { Point } from './task-points.ts';

/** Of runs that went on from each other, in their order. */
export const curveView = (
  runs: readonly Pick<RunRow, 'run' | 'trained'>[],
  points: readonly Point[],
): TrainingCurveView => ({
  points: thinned(points).map(pointView),
  of: points.at(-1)?.of ?? null,
  runs: runs.map(({ run, trained }) => ({ run, resumed_from: trained.resumedFrom ?? null })),
  logged: loggedView(runs.at(-1)?.trained.logged),
});

/** Evaluations are few, and stay. */
function thinned(points: readonly Point[]): Point[] {
  const every = Math.ceil(points.length / MOST_CURVE_POINTS);
  const kept = points.filter(
    ({ evalLoss }, at) => at % every === 0 || at === points.length - 1 || evalLoss !== undefined,
  );
  return kept.slice(-MOST_CURVE_POINTS);
}

const loggedView = (logged: RunRow['trained']['logged']): TrainingCurveView['logged'] =>
  logged
    ? {
        params: logged.params.map(([name, value]) => ({ name, value })),
        tags: logged.tags.map(([name, value]) => ({ name, value })),
        metrics: logged.metrics.map(([name, { value, step }]) => ({ name, value, step })),
        artifacts: logged.artifacts.map(([name, size_bytes]) => ({ name, size_bytes })),
      }
    : null;

const pointView = (point: Point): TrainingPointView => ({
  ...{ step: point.step, run: point.run, epoch: point.epoch ?? null, loss: point.loss ?? null },
  ...{ eval_loss: point.evalLoss ?? null, learning_rate: point.learningRate ?? null },
  ...{ grad_norm: point.gradNorm ?? null, tokens: point.tokens ?? null },
  ...{ tokens_per_second: point.tokensPerSecond ?? null, is_broken: point.isBroken ?? false },
  time: point.at.toISOString(),
});
