// A fine-tuning task as a form holds it, and the bodies that are made of it: of a new one, of a change, and of a preview. Members have
// the body's names, so that an error appears at its field.
import type { TunePreviewView } from '@gantry/contract/areas/tuning/tuning.ts';
import type { InputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import { columnsOf, type FineTuneView } from '@gantry/contract/kinds/fine-tune.ts';
import { type RunSettings, runSettingsBody, runSettingsOf } from '../../parts/task/run-settings.ts';
import { changeBetween } from '../../parts/workload/run-values.ts';
import { isPositive, numberOrNull } from '../../parts/workload/workload-values.ts';
import { isMerged, type Method, type Objective } from './choices.ts';

type TuneBody = InputOf<NonNullable<typeof CALLS.createFineTune.facts>>['body'];
export type PreviewBody = InputOf<NonNullable<typeof CALLS.previewFineTune.facts>>['body'];
type TuneChange = NonNullable<InputOf<NonNullable<typeof CALLS.updateFineTune.facts>>['body']>;

type Maybe = number | undefined;

export interface TuneValues extends RunSettings {
  displayName: string;
  base: { model: string; version: string };
  /** An empty version: the newest one. */
  datasets: { dataset: string; version: string; weight: Maybe }[];
  /** An empty dataset: nothing is measured. */
  evalDataset: { dataset: string; version: string };
  objective: Objective;
  method: Method;
  /** Of SFT: whether a row is a question with its answer, or a conversation. */
  rows: 'Pairs' | 'Messages';
  columns: { prompt: string; answer: string; system: string; messages: string; chosen: string; rejected: string };
  until: 'Epochs' | 'Steps';
  parameters: {
    epochs: Maybe;
    maxSteps: Maybe;
    batch: Maybe;
    accumulate: Maybe;
    /** Undefined: as the method has it. */
    learningRate: Maybe;
    schedule: 'Linear' | 'Cosine' | 'Constant';
    warmup: Maybe;
    rank: Maybe;
    alpha: Maybe;
    dropout: Maybe;
    maxLength: Maybe;
    beta: Maybe;
    seed: Maybe;
  };
  /** Undefined: ten over the run. */
  checkpoints: { everySteps: Maybe; keep: Maybe };
  stopsEarly: boolean;
  earlyStop: { patience: Maybe; minDelta: Maybe };
  workers: Maybe;
  /** An empty model: a new one of that name. An empty form: an adapter, where the method makes one. */
  output: { model: string; name: string; form: '' | 'Merged'; gguf: boolean };
  /** An empty model: no GPU. */
  gpu: { model: string; count: Maybe };
  cores: Maybe;
  memoryGi: Maybe;
  /** Empty: the shared pool. */
  host: string;
}

/** The column with what is asked has another name for each objective. */
export const FIRST_COLUMN: Readonly<Record<Objective, string>> = { SFT: 'question', DPO: 'prompt' };

/** Of a worker without a GPU: a small model fits. */
export const PLAIN = { cores: 2, memoryGi: 8 } as const;

export const EMPTY_TUNE: TuneValues = {
  displayName: '',
  base: { model: '', version: '' },
  datasets: [{ dataset: '', version: '', weight: 1 }],
  evalDataset: { dataset: '', version: '' },
  objective: 'SFT',
  method: 'LoRA',
  rows: 'Pairs',
  columns: {
    ...{ prompt: FIRST_COLUMN.SFT, answer: 'answer', system: '' },
    ...{ messages: 'messages', chosen: 'chosen', rejected: 'rejected' },
  },
  until: 'Epochs',
  parameters: {
    ...{ epochs: 3, maxSteps: undefined, batch: 8, accumulate: 1, learningRate: undefined, schedule: 'Cosine' },
    ...{ warmup: 0.03, rank: 16, alpha: 32, dropout: 0, maxLength: 2048, beta: 0.1, seed: 0 },
  },
  checkpoints: { everySteps: undefined, keep: 3 },
  stopsEarly: false,
  earlyStop: { patience: 3, minDelta: 0 },
  workers: 1,
  output: { model: '', name: '', form: '', gguf: false },
  gpu: { model: '', count: 1 },
  ...PLAIN,
  host: '',
  priority: 'Normal',
  retries: 3,
  maxRunMinutes: undefined,
};

/** A link may name the base, or a dataset, or both. */
export function firstTune(query: URLSearchParams): TuneValues {
  const named = (name: string) => query.get(name) ?? '';
  return {
    ...EMPTY_TUNE,
    base: { model: named('model'), version: named('version') },
    datasets: [{ dataset: named('dataset'), version: named('datasetVersion'), weight: 1 }],
  };
}

/** Which columns are read. */
export const columnNames = ({ objective, rows }: Pick<TuneValues, 'objective' | 'rows'>) => {
  if (objective === 'DPO') return ['prompt', 'chosen', 'rejected'] as const;
  return rows === 'Messages' ? (['messages'] as const) : (['prompt', 'answer', 'system'] as const);
};

const present = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '')) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };

const versionOf = (version: string) => (version === '' ? {} : { version: Number(version) });

function parametersBody({ until, parameters, method, objective }: TuneValues) {
  const { epochs, maxSteps, learningRate, schedule, rank, alpha, dropout, beta, ...counts } = parameters;
  const isAdapter = method !== 'Full';
  return {
    ...(until === 'Epochs' ? { epochs: numberOrNull(epochs) } : { maxSteps: numberOrNull(maxSteps) }),
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, numberOrNull(count)])),
    ...present({ learningRate }),
    schedule,
    ...(isAdapter && { rank: numberOrNull(rank), alpha: numberOrNull(alpha), dropout: numberOrNull(dropout) }),
    ...(objective === 'DPO' && { beta: numberOrNull(beta) }),
  };
}

/** What it is trained with, and on what. */
function workBody(values: TuneValues) {
  const { base, datasets, objective, method, columns, workers, gpu, cores, memoryGi, host } = values;
  return {
    base: { model: base.model, version: base.version.trim() },
    datasets: datasets.map(({ dataset, version, weight }) => ({
      ...{ dataset, ...versionOf(version), weight: numberOrNull(weight) },
    })),
    ...{ objective, method },
    columns: present(Object.fromEntries(columnNames(values).map((name) => [name, columns[name].trim()]))),
    parameters: parametersBody(values),
    workers: numberOrNull(workers),
    ...(gpu.model !== '' && { gpu: { model: gpu.model, count: numberOrNull(gpu.count) } }),
    ...{ cores: numberOrNull(cores), memoryGi: numberOrNull(memoryGi), ...(host !== '' && { host }) },
  };
}

/** What a preview is made of; undefined while something is missing that it needs. */
export function previewBody(values: TuneValues): PreviewBody | undefined {
  const { base, datasets } = values;
  const chosen = datasets.filter(({ dataset }) => dataset !== '');
  if (base.model === '' || base.version.trim() === '' || chosen.length === 0) return undefined;
  const body = workBody({ ...values, datasets: chosen });
  return hasNull(body) ? undefined : (body as PreviewBody);
}

/** A number that is not there. */
const hasNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(hasNull));

export function tuneBody(values: TuneValues): TuneBody {
  const { displayName, evalDataset, checkpoints, stopsEarly, earlyStop, output } = values;
  const measures = evalDataset.dataset !== '';
  return {
    displayName: displayName.trim(),
    ...workBody(values),
    ...(measures && { evalDataset: { dataset: evalDataset.dataset, ...versionOf(evalDataset.version) } }),
    checkpoints: { keep: numberOrNull(checkpoints.keep), ...present({ everySteps: checkpoints.everySteps }) },
    ...(measures &&
      stopsEarly && {
        earlyStop: { patience: numberOrNull(earlyStop.patience), minDelta: numberOrNull(earlyStop.minDelta) },
      }),
    output: {
      ...(output.model === '' ? { name: output.name.trim() } : { model: output.model }),
      ...(values.method !== 'Full' && present({ form: output.form })),
      gguf: isMerged(values) && output.gguf,
    },
    ...runSettingsBody(values),
  } as TuneBody;
}

/** Only what differs; null takes an optional field away. */
export const tuneChange = (before: TuneValues, after: TuneValues): TuneChange =>
  changeBetween(tuneBody(before), tuneBody(after)) as TuneChange;

export function tuneValuesOf(
  { id, name, spec }: Pick<FineTuneView, 'id' | 'name' | 'spec'>,
  isCopy = false,
): TuneValues {
  const empty = EMPTY_TUNE;
  const { base, datasets, checkpoints, earlyStop } = spec;
  return {
    ...empty,
    ...present({ objective: spec.objective, method: spec.method, workers: spec.workers }),
    ...present({ cores: spec.cores, memoryGi: spec.memoryGi, host: spec.host }),
    ...trainingOf(spec),
    ...outputOf(spec),
    displayName: isCopy ? '' : (spec.displayName ?? name ?? id),
    base: { model: base.model, version: base.version },
    datasets: datasets.map(({ dataset, version, weight = 1 }) => ({ dataset, version: `${version ?? ''}`, weight })),
    checkpoints: { ...empty.checkpoints, ...present(checkpoints ?? {}) },
    stopsEarly: earlyStop !== undefined,
    earlyStop: { ...empty.earlyStop, ...present(earlyStop ?? {}) },
    gpu: { ...empty.gpu, ...present(spec.gpu ?? {}) },
    ...runSettingsOf(spec, empty),
  };
}

function trainingOf({ objective = 'SFT', columns, parameters = {}, evalDataset }: FineTuneView['spec']) {
  const empty = EMPTY_TUNE;
  const { maxSteps } = parameters;
  return {
    evalDataset: { dataset: evalDataset?.dataset ?? '', version: `${evalDataset?.version ?? ''}` },
    rows: columns?.messages === undefined ? ('Pairs' as const) : ('Messages' as const),
    columns: { ...empty.columns, prompt: FIRST_COLUMN[objective], ...present(columnsOf({ columns, objective })) },
    until: maxSteps === undefined ? ('Epochs' as const) : ('Steps' as const),
    parameters: { ...empty.parameters, ...present(parameters) },
  };
}

const outputOf = ({ output: { model = '', name = '', form, gguf = false } }: FineTuneView['spec']) => ({
  output: { model, name, form: form === 'Merged' ? form : ('' as const), gguf },
});

type Advised = TunePreviewView['memory']['instead'][number]['change'];
export type Preset = NonNullable<TunePreviewView['preset']>;

/** The values with what was advised, or with what a base is usually begun with. */
export const withAdvice = (
  values: TuneValues,
  { method, memoryGi, gpu, parameters }: Advised | (Preset & Pick<Advised, 'memoryGi' | 'gpu'>),
): Pick<TuneValues, 'method' | 'memoryGi' | 'gpu' | 'parameters'> => ({
  ...{ method: method ?? values.method, memoryGi: memoryGi ?? values.memoryGi, gpu: gpu ?? values.gpu },
  parameters: { ...values.parameters, ...present(parameters ?? {}) },
});

/** What all workers cost in an hour; undefined while a number is missing. */
export function tuneSize({
  gpu,
  workers,
  cores,
  memoryGi,
  host,
}: Pick<TuneValues, 'gpu' | 'workers' | 'cores' | 'memoryGi' | 'host'>) {
  if (!isPositive(cores) || !isPositive(memoryGi) || !isPositive(workers)) return undefined;
  if (gpu.model !== '' && !isPositive(gpu.count)) return undefined;
  return { ...(gpu.model !== '' && { gpu }), workers, cores, memoryGi, ...(host !== '' && { host }) };
}
