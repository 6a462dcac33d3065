// What a fine-tuning task would be trained on, whether it fits, how long it takes and what it costs: before anything is paid. Its
// organisation's data server has the tokenizer's files and the rows, and none of the weights.
import { text } from 'node:stream/consumers';
import type { TunePreviewView, tunePreviewBody } from '@gantry/contract/areas/tuning/tuning.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type Micros, moneyText } from '@gantry/contract/fields/money.ts';
import { wordOf } from '@gantry/contract/fields/stored.ts';
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import { areColumnsOf, columnsOf } from '@gantry/contract/kinds/fine-tune.ts';
import { fineTuneWords } from '@gantry/contract/kinds/fine-tune-words.ts';
import { localized } from '@gantry/contract/localized.ts';
import { devicesOf, fitTune, type TuneCard, type TuneFit } from '@gantry/contract/models/tune-fit.ts';
import { type TuneLength, tuneLength } from '@gantry/contract/models/tune-length.ts';
import { memorySaid, type TunedBase } from '@gantry/contract/models/tune-memory.ts';
import { choosePreset } from '@gantry/contract/models/tune-presets.ts';
import { UNUSABLE_ROWS } from '@gantry/contract/models/tune-words.ts';
import { quoted, type Said, said } from '@gantry/contract/said.ts';
import type * as z from 'zod';
import type { DataServers, TokenizerFiles } from '../../core/data-server/data-servers.ts';
import type { Tuned } from '../../core/data-server/server-answers.ts';
import type { ListedFile } from '../../core/files/deliver.ts';
import type { StoredBlobs } from '../../core/files/stored-blobs.ts';
import { costOfSeconds, type WorkerPrice } from '../../core/tasks/worker-price.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { parseJson } from '../../platform/json-size.ts';
import { baseShape } from './base-shape.ts';
import { isAdapter } from './recipe.ts';
import type { BaseVersion, NotNow, TrainedOn, TunedDatasets, TunedModels } from './tuning-parts.ts';

export type TunePreviewWish = z.output<typeof tunePreviewBody>;

/** What runs of a base have been timed at: tokens in a second of one GPU or worker. */
export interface Timed {
  tokensPerSecond: number;
  runs: number;
}

export interface TunePreviewParts {
  datasets: TunedDatasets;
  models: Pick<TunedModels, 'base'>;
  blobs: Pick<StoredBlobs, 'read'>;
  /** Absent where nothing here reads data. */
  data: Pick<DataServers, 'tune'> | undefined;
  cards(caller: Caller, wish: TunePreviewWish): readonly TuneCard[];
  /** Of runs of the same organisation. */
  timed(caller: Caller, wish: TunePreviewWish): Timed | undefined;
  workerPrice: WorkerPrice;
}

/** The tokenizer's files, as a base has them. */
const TOKENIZER_FILES: Readonly<Record<keyof TokenizerFiles, string>> = {
  tokenizer: 'tokenizer.json',
  config: 'tokenizer_config.json',
  template: 'chat_template.jinja',
  special: 'special_tokens_map.json',
};
/** Of all of them; more is not sent (data-worker/gantry_worker/limits.py). */
const MOST_TOKENIZER_BYTES = 64 * 1024 * 1024;
const MOST_CONFIG_BYTES = 1024 * 1024;

/** Throws not_found, base_untrainable, invalid_field, dataset_no_table, dataset_preparing, and what data servers throw. */
export async function previewOf(
  parts: TunePreviewParts,
  caller: Caller,
  wish: TunePreviewWish,
  language: Language,
  signal: AbortSignal,
): Promise<TunePreviewView> {
  demandRules(wish);
  const { datasets, models, data } = parts;
  const base = await models.base(caller, wish.base);
  if ('reason' in base) throw refusalOf(base, wish.base.model);
  if (isAdapter(base)) throw untrainable('it is an adapter: its base is trained');
  const read: TrainedOn[] = [];
  for (const one of wish.datasets) {
    const found = await datasets.input(caller, one);
    if ('reason' in found) throw refusalOf(found, one.dataset);
    read.push(found);
  }
  if (!data) throw problem('dataset_no_table');
  const shaped = await shapedBase(parts, base, signal);
  const { objective, parameters } = wish;
  const told = await data.tune(
    caller.organization.id,
    read.map((one) => one.parts),
    tokenizerOf(base),
    { objective, columns: columnsOf(wish), maxLength: parameters.maxLength },
    signal,
  );
  if (told.sets.length !== read.length) throw problem('unavailable', { seconds: 3 }, { retryAfterSeconds: 3 });
  return { ...rowsView(told, read, language), ...estimated(parts, caller, wish, { ...shaped, told }, language) };
}

/** The rules of the kind that say what may be trained at all; the API server demands all of them of the task. */
function demandRules({ objective, method, columns, gpu }: TunePreviewWish): void {
  const { columns: columnsRule, quantized } = fineTuneWords.rules;
  if (!areColumnsOf(objective, columns)) throw ruleOf('columns', said(columnsRule));
  if (method === 'QLoRA' && !gpu) throw ruleOf('method', said(quantized));
}

const ruleOf = (field: string, rule: Said): Problem =>
  problem('invalid_field', { field, ...quoted('rule', rule) }, { field });

const untrainable = (why: string): Problem => problem('base_untrainable', { why });

/** A table that is still made is asked for again, as one that is on its way to the data server. */
function refusalOf({ reason, args }: NotNow, what: string): Problem {
  if (reason === 'InputsGone') return problem('not_found', { what });
  if (reason === 'InputsArriving') return problem('dataset_preparing', { percent: 0 }, { retryAfterSeconds: 2 });
  return args.detail === undefined ? problem('dataset_no_table') : untrainable(`${args.detail}`);
}

function tokenizerOf({ files }: BaseVersion): TokenizerFiles {
  const found = Object.entries(TOKENIZER_FILES).flatMap(([name, path]) => {
    const file = files.find((one) => one.path === path);
    return file ? [[name, { sha256: file.sha256, bytes: file.bytes }] as const] : [];
  });
  const bytes = found.reduce((sum, [, file]) => sum + file.bytes, 0);
  if (bytes > MOST_TOKENIZER_BYTES) throw untrainable('its tokenizer is too large');
  return Object.fromEntries(found);
}

type Shaped = TunedBase & { weightBytes: number; contextLength: number | undefined };

async function shapedBase({ blobs }: TunePreviewParts, base: BaseVersion, signal: AbortSignal): Promise<Shaped> {
  const { parameters, weightBytes } = base;
  if (parameters === undefined) throw untrainable('nobody knows how many parameters it has');
  const file = base.files.find(({ path }) => path === 'config.json');
  const wholeOf = async ({ sha256, bytes }: ListedFile) =>
    text(await blobs.read(sha256, { from: 0, to: bytes - 1 }, signal));
  const config = file && file.bytes > 0 && file.bytes <= MOST_CONFIG_BYTES ? await wholeOf(file) : '';
  return {
    ...{ parameters, shape: baseShape(jsonOf(config), parameters), contextLength: base.contextLength },
    weightBytes: weightBytes ?? 2 * parameters,
  };
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const labelOf = (reason: string, language: Language): string => wordOf(UNUSABLE_ROWS, reason, language);

function rowsView(
  { examples, sets, isExact }: Tuned,
  read: readonly TrainedOn[],
  language: Language,
): Pick<TunePreviewView, 'examples' | 'sets' | 'is_exact'> {
  return {
    examples: examples.flatMap(({ set, row, pieces, tokens, isTooLong, reason = null }) => {
      const of = read[set];
      const shown = pieces.map(({ tokens: told, isTrained, isCut }) => ({
        ...{ tokens: told, is_trained: isTrained, is_cut: isCut },
      }));
      const why = { reason, reason_label: reason && labelOf(reason, language) };
      return of ? [{ dataset: of.dataset, row, pieces: shown, tokens, is_too_long: isTooLong, ...why }] : [];
    }),
    sets: sets.flatMap(({ rows, sampled, usable, tokens, longest, cut, unusable }, at) => {
      const of = read[at];
      const why = Object.entries(unusable).map(([reason, count]) => ({
        ...{ reason, reason_label: labelOf(reason, language), rows: count },
      }));
      const mean = usable > 0 ? Math.round((tokens / usable) * 10) / 10 : 0;
      const counts = { rows, sampled, usable, mean_tokens: mean, longest, too_long: cut, unusable: why };
      return of ? [{ dataset: of.dataset, version: of.version, ...counts }] : [];
    }),
    is_exact: isExact,
  };
}

function estimated(
  { cards: cardsOf, timed: timedBy, workerPrice }: TunePreviewParts,
  caller: Caller,
  wish: TunePreviewWish,
  { told, ...base }: Shaped & { told: Tuned },
  language: Language,
): Pick<TunePreviewView, 'memory' | 'estimate' | 'preset'> {
  const cards = cardsOf(caller, wish);
  // A row that was not looked at may be as long as the limit.
  const longest = told.isExact ? Math.max(1, ...told.sets.map((one) => one.longest)) : undefined;
  const timed = timedBy(caller, wish);
  const sets = told.sets.map((one, at) => ({ ...one, weight: wish.datasets[at]?.weight ?? 1 }));
  const length = tuneLength(base, wish, sets, timed?.tokensPerSecond);
  const { perHour, currency } = workerPrice(caller.organization.id, wish, wish.workers);
  const money = (amount: Micros | undefined) => (amount === undefined ? null : moneyText(amount));
  return {
    memory: memoryView(fitTune(base, wish, cards, longest), base, wish, language),
    estimate: {
      ...lengthView(length, timed),
      ...{ price: money(perHour), total: money(costOfSeconds(perHour, length.seconds)), currency },
    },
    preset: choosePreset(base, wish, cards, longest) ?? null,
  };
}

function memoryView(
  { lines, bytes, room, host, fits, instead }: TuneFit,
  { shape }: TunedBase,
  { gpu }: TunePreviewWish,
  language: Language,
): TunePreviewView['memory'] {
  const inWords = (told: Said) => localized({ reasons: {} }, told, language);
  return {
    device: gpu ? 'gpu' : 'worker',
    lines: lines.map((line) => ({ what: line.what, bytes: line.bytes, message: inWords(memorySaid(line)) })),
    ...{ bytes, room_bytes: room ?? null, host: host ? { bytes: host.bytes, room_bytes: host.room } : null },
    fits: fits ?? null,
    instead: instead.map(({ change, said: told }) => ({ message: inWords(told), change })),
    is_assumed: shape.isAssumed,
  };
}

const lengthView = (length: TuneLength, timed: Timed | undefined) => ({
  ...{ examples: length.examples, steps: length.steps, tokens: length.tokens, tokens_per_step: length.tokensPerStep },
  time: {
    ...{ seconds: length.seconds, start_seconds: length.startSeconds, seconds_each: length.secondsEach },
    timed_runs: length.by === 'runs' ? (timed?.runs ?? null) : null,
    ...{ token_operations: length.operationsPerToken, rate: length.rate },
  },
});

interface TimedTask {
  spec: Pick<TunePreviewWish, 'base' | 'method' | 'objective' | 'gpu' | 'workers' | 'cores'>;
  status?: { training?: { tokensPerSecond?: number | undefined } | undefined } | undefined;
}

/** The middle one of what the organisation's runs of this base were timed at, in the same way and on the same devices. */
export function timedBy(tasks: readonly TimedTask[], wish: TunePreviewWish): Timed | undefined {
  const rates = tasks
    .filter(({ spec }) => sameWork(spec, wish))
    .flatMap(({ spec, status }) => {
      const rate = status?.training?.tokensPerSecond ?? 0;
      return rate > 0 ? [rate / devicesOf(spec)] : [];
    })
    .toSorted((a, b) => a - b);
  const tokensPerSecond = rates[Math.floor(rates.length / 2)];
  return tokensPerSecond === undefined ? undefined : { tokensPerSecond, runs: rates.length };
}

const sameWork = (a: TimedTask['spec'], b: TunePreviewWish): boolean =>
  a.base.model === b.base.model &&
  a.base.version === b.base.version &&
  a.method === b.method &&
  a.objective === b.objective &&
  a.gpu?.model === b.gpu?.model &&
  (a.gpu !== undefined || a.cores === b.cores);
