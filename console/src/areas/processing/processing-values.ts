// A data processing task as a form holds it, and the bodies that are made of it: of a new one, of a change, and of a preview. Members have
// the body's names, so that an error appears at its field.
import type { InputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import type { DataProcessView } from '@gantry/contract/kinds/data-process.ts';
import { PROCESS_BLOCKS, type ProcessType } from '@gantry/contract/kinds/data-process-schema.ts';
import { type RunSettings, runSettingsBody, runSettingsOf } from '../../parts/task/run-settings.ts';
import { wordsIn } from '../../parts/words-in.ts';
import { changeBetween } from '../../parts/workload/run-values.ts';
import { isPositive, numberOrNull } from '../../parts/workload/workload-values.ts';

export type ProcessBody = InputOf<NonNullable<typeof CALLS.createDataProcess.facts>>['body'];
type PreviewBody = InputOf<NonNullable<typeof CALLS.previewDataProcess.facts>>['body'];
export type ProcessChange = NonNullable<InputOf<NonNullable<typeof CALLS.updateDataProcess.facts>>['body']>;

/** Lists are as they are typed: separated by commas. */
export interface ProcessValues extends RunSettings {
  displayName: string;
  type: ProcessType;
  /** An empty version: the newest one. */
  input: { dataset: string; version: string; columns: string };
  /** An empty dataset: a new one of that name. */
  output: { dataset: string; name: string };
  model: string;
  qa: { rules: 'Model' | 'Headings'; pairsPerChunk: number | undefined; prompt: string };
  chunks: { maxTokens: number | undefined; overlap: number | undefined };
  graph: { entityTypes: string };
  clean: {
    duplicates: 'None' | 'Exact' | 'Near';
    maskPersonalData: boolean;
    minChars: number | undefined;
    maxChars: number | undefined;
    languages: string;
  };
  split: { parts: { name: string; percent: number | undefined }[]; seed: number | undefined };
  convert: { format: 'JsonLines' | 'Csv' | 'Parquet'; columns: string };
  maxRejectedPercent: number | undefined;
  /** Undefined: no limit. */
  maxTokens: number | undefined;
  cores: number | undefined;
  memoryGi: number | undefined;
  /** Empty: the shared pool. */
  host: string;
}

export const EMPTY_PROCESS: ProcessValues = {
  displayName: '',
  type: 'QaPairs',
  input: { dataset: '', version: '', columns: '' },
  output: { dataset: '', name: '' },
  model: '',
  qa: { rules: 'Model', pairsPerChunk: 3, prompt: '' },
  chunks: { maxTokens: 512, overlap: 64 },
  graph: { entityTypes: '' },
  clean: { duplicates: 'Exact', maskPersonalData: false, minChars: 0, maxChars: undefined, languages: '' },
  split: {
    parts: [
      { name: 'train', percent: 90 },
      { name: 'test', percent: 10 },
    ],
    seed: 0,
  },
  convert: { format: 'JsonLines', columns: '' },
  maxRejectedPercent: 10,
  maxTokens: undefined,
  cores: 1,
  memoryGi: 2,
  host: '',
  priority: 'Normal',
  retries: 3,
  maxRunMinutes: undefined,
};

/** A link may name what is read, and what is made of it. */
export function firstProcess(query: URLSearchParams): ProcessValues {
  const { type, input } = EMPTY_PROCESS;
  const asked = query.get('type') ?? '';
  return {
    ...EMPTY_PROCESS,
    type: Object.hasOwn(PROCESS_BLOCKS, asked) ? (asked as ProcessType) : type,
    input: { ...input, dataset: query.get('dataset') ?? '', version: query.get('version') ?? '' },
  };
}

type Asks = Pick<ProcessValues, 'type'> & { qa: Pick<ProcessValues['qa'], 'rules'> };

/** Whether a model is asked: for vectors, or for text. */
export const asksModel = ({ type, qa }: Asks): boolean =>
  type === 'KnowledgeBase' || type === 'KnowledgeGraph' || (type === 'QaPairs' && qa.rules === 'Model');

type Blocks = { [Type in ProcessType]: (values: ProcessValues) => object };

const BLOCKS: Blocks = {
  QaPairs: ({ qa: { rules, pairsPerChunk, prompt } }) => ({
    rules,
    pairsPerChunk: numberOrNull(pairsPerChunk),
    ...(rules === 'Model' && prompt.trim() !== '' && { prompt: prompt.trim() }),
  }),
  KnowledgeBase: ({ chunks: { maxTokens, overlap } }) => ({
    maxTokens: numberOrNull(maxTokens),
    ...(overlap !== undefined && { overlap }),
  }),
  KnowledgeGraph: ({ graph }) => listed('entityTypes', graph.entityTypes),
  Clean: ({ clean: { duplicates, maskPersonalData, minChars, maxChars, languages } }) => ({
    duplicates,
    maskPersonalData,
    minChars: numberOrNull(minChars),
    ...(maxChars !== undefined && { maxChars }),
    ...listed('languages', languages),
  }),
  Split: ({ split: { parts, seed } }) => ({
    parts: parts.map(({ name, percent }) => ({ name: name.trim(), percent: numberOrNull(percent) })),
    seed: numberOrNull(seed),
  }),
  Convert: ({ convert: { format, columns } }) => ({ format, ...listed('columns', columns) }),
};

const listed = (name: string, typed: string): object => {
  const words = wordsIn(typed);
  return words.length === 0 ? {} : { [name]: words };
};

/** What a preview is made of. */
export const previewBody = (values: ProcessValues): PreviewBody =>
  ({ ...workBody(values), ...sizeBody(values) }) as PreviewBody;

const sizeBody = ({ cores, memoryGi, host }: ProcessValues) => ({
  ...{ cores: numberOrNull(cores), memoryGi: numberOrNull(memoryGi) },
  ...(host !== '' && { host }),
});

function workBody(values: ProcessValues) {
  const { type, input, model, maxRejectedPercent } = values;
  return {
    type,
    input: {
      dataset: input.dataset,
      ...(input.version !== '' && { version: Number(input.version) }),
      ...listed('columns', input.columns),
    },
    ...(asksModel(values) && model.trim() !== '' && { model: model.trim() }),
    [PROCESS_BLOCKS[type]]: BLOCKS[type](values),
    maxRejectedPercent: numberOrNull(maxRejectedPercent),
  };
}

export function processBody(values: ProcessValues): ProcessBody {
  const { displayName, output, maxTokens } = values;
  return {
    displayName: displayName.trim(),
    ...workBody(values),
    output: output.dataset === '' ? { name: output.name.trim() } : { dataset: output.dataset },
    ...(asksModel(values) && maxTokens !== undefined && { maxTokens }),
    ...sizeBody(values),
    ...runSettingsBody(values),
  } as ProcessBody;
}

/** Only what differs; null takes an optional field away. */
export const processChange = (before: ProcessValues, after: ProcessValues): ProcessChange =>
  changeBetween(processBody(before), processBody(after)) as ProcessChange;

const typed = (words: readonly string[] | undefined): string => (words ?? []).join(', ');

export function processValuesOf(
  { id, name, spec }: Pick<DataProcessView, 'id' | 'name' | 'spec'>,
  isCopy = false,
): ProcessValues {
  const empty = EMPTY_PROCESS;
  const { input, output, qa, chunks, graph, clean, split, convert } = spec;
  return {
    ...empty,
    displayName: isCopy ? '' : (spec.displayName ?? name ?? id),
    type: spec.type,
    input: { dataset: input.dataset, version: `${input.version ?? ''}`, columns: typed(input.columns) },
    output: { dataset: output.dataset ?? '', name: output.name ?? '' },
    model: spec.model ?? '',
    qa: { ...empty.qa, ...given(qa) },
    chunks: chunks ? { maxTokens: chunks.maxTokens ?? empty.chunks.maxTokens, overlap: chunks.overlap } : empty.chunks,
    graph: { entityTypes: typed(graph?.entityTypes) },
    clean: { ...empty.clean, ...given(clean), languages: typed(clean?.languages) },
    split: { ...empty.split, ...given(split) },
    convert: { format: convert?.format ?? empty.convert.format, columns: typed(convert?.columns) },
    maxRejectedPercent: spec.maxRejectedPercent ?? empty.maxRejectedPercent,
    maxTokens: spec.maxTokens,
    cores: spec.cores ?? empty.cores,
    memoryGi: spec.memoryGi ?? empty.memoryGi,
    host: spec.host ?? '',
    ...runSettingsOf(spec, empty),
  };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const given = <T extends object>(block: T | undefined): Given<T> =>
  Object.fromEntries(Object.entries(block ?? {}).filter(([, value]) => value !== undefined)) as Given<T>;

/** What an hour costs; undefined while a number is missing. */
export function processSize({ cores, memoryGi, host }: Pick<ProcessValues, 'cores' | 'memoryGi' | 'host'>) {
  if (!isPositive(cores) || !isPositive(memoryGi)) return undefined;
  return { cores, memoryGi, ...(host !== '' && { host }) };
}
