// This gateway's metrics of each deployment, whatever its engine: the series that alert policies ask for.
import { MODEL_SECONDS, MODEL_WAITING } from '@gantry/contract/alerts/model-series.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { ModelFacts, Models } from './serving.ts';

type Named = Pick<ModelFacts, 'namespace' | 'name'>;

const LABELS = ['namespace', 'kind', 'object'];
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640];
const labelsOf = ({ namespace, name }: Named) => ({ namespace, kind: modelDeployment.kind, object: name });

type Labels = Readonly<Record<string, string>>;
/** The constructors of the gateway's metrics. */
export interface Registers {
  numbers(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly { labels: Labels; value: number }[],
  ): void;
  times(
    name: string,
    help: string,
    labelNames: readonly string[],
    buckets: readonly number[],
  ): { observe(labels: Labels, seconds: number): void; forget(labels: Labels): void };
  counter(name: string, help: string): { inc(): void };
}

export interface ModelMetrics {
  timed(model: ModelFacts, ms: number): void;
  /** An engine's count cannot be true: staff hear of it. */
  disbelieved(): void;
  /** The deployment is gone, and its series with it. */
  forget(model: Named): void;
}

export function modelMetrics(metrics: Registers, models: Models): ModelMetrics {
  metrics.numbers(MODEL_WAITING, 'Requests to a deployment that have no token of their answer yet.', LABELS, () =>
    [...models.all].map(({ facts, silent }) => ({ labels: labelsOf(facts), value: silent })),
  );
  const times = metrics.times(MODEL_SECONDS, 'How long a deployment takes to answer in full.', LABELS, SECONDS);
  const disbelieved = metrics.counter(
    'gantry_model_counts_disbelieved_total',
    'Requests whose engine said counts of tokens that cannot be true.',
  );
  return {
    disbelieved: () => disbelieved.inc(),
    timed(model, ms) {
      // A request that ends after its deployment would bring the series back.
      if (models.get(model.organization, model.name)) times.observe(labelsOf(model), ms / 1000);
    },
    forget: (model) => times.forget(labelsOf(model)),
  };
}
