// This gateway's metrics of each fine-tuning run under way: the series that alert policies ask for. Values are the trainer's, as the
// status has them: bounded, and never NaN.
import { TUNE_LOSS, TUNE_STEP_AGE, TUNE_TOKENS } from '@gantry/contract/alerts/tune-series.ts';
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import { type FineTune, type FineTuneStatus, fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { Platform } from '../../platform/open.ts';

const LABELS = ['namespace', 'kind', 'object'];

type Value = (status: FineTuneStatus, now: number) => number | undefined;

const SERIES: readonly (readonly [name: string, help: string, value: Value])[] = [
  [TUNE_LOSS, 'The loss of the last steps of a fine-tuning run.', (status) => trainingOf(status)?.loss],
  [
    TUNE_TOKENS,
    'Tokens that a fine-tuning run trains on in a second.',
    (status) => trainingOf(status)?.tokensPerSecond,
  ],
  [TUNE_STEP_AGE, 'Seconds since a fine-tuning run reported a step.', stepAge],
];

export function serveTraining(
  { metrics, clock }: { metrics: Pick<Platform['metrics'], 'numbers'>; clock: Pick<Clock, 'now'> },
  { cache }: { cache: Pick<Cluster['cache'], 'list'> },
): void {
  for (const [name, help, read] of SERIES)
    metrics.numbers(name, help, LABELS, () =>
      cache.list<FineTune>(fineTune).flatMap(({ metadata, status }) => {
        const value = status?.phase === 'training' ? read(status, clock.now()) : undefined;
        const labels = { namespace: metadata.namespace ?? '', kind: fineTune.kind, object: metadata.name };
        return value === undefined ? [] : [{ labels, value }];
      }),
    );
}

/** An earlier run's last step says nothing of the present one. */
const trainingOf = ({ training, run }: FineTuneStatus) => (training?.run === run?.seq ? training : undefined);

function stepAge(status: FineTuneStatus, now: number): number | undefined {
  const since = instantOf(trainingOf(status)?.at) ?? instantOf(status.run?.startedAt);
  return since === undefined ? undefined : Math.max(0, now - since) / 1000;
}
