// What a task would take, from what its preview has counted: tokens, time and money, in lines that add up. Pure. It is an estimate: the pace
// of a model is that of its last hour, and assumed where it has answered little.
import type { ProcessPreviewView } from '@gantry/contract/areas/processing/processing.ts';
import { type Micros, moneyText, sumOf } from '@gantry/contract/fields/money.ts';
import type { ProcessType } from '@gantry/contract/kinds/data-process-schema.ts';
import { costOfSeconds } from '../../core/tasks/worker-price.ts';
import type { Pace, PreviewPrices } from './processing-parts.ts';

type EstimateView = ProcessPreviewView['estimate'];
type Line = EstimateView['lines'][number];

const MILLION = 1_000_000;
const HOUR_S = 3600;
const SECOND_MS = 1000;
/** Measured on two cores: a Pod of the worker answers after 8 s. The rest is for its files, in and out. */
const START_SECONDS = 20;
/** As the worker has it (data-worker/gantry_worker/limits.py). */
const CALLS_AT_ONCE = 16;
/** Measured of the worker on one core with 20,000 rows of 400 characters, of each type with what takes longest. */
const SECONDS_PER_ROW: Readonly<Partial<Record<ProcessType, number>>> = {
  QaPairs: 0.000_06,
  Clean: 0.000_4,
  Split: 0.000_02,
  Convert: 0.000_02,
};
/** Assumed of a model on a card: a second until it begins to answer, then 30 tokens a second in each of its calls. */
const ASSUMED_CALL = { beginsMs: 1000, tokenMs: 1000 / 30 };
/** Measured with a small model at a tenth of a core: 25 chunks a second, all calls together. */
const ASSUMED_SECONDS_PER_CHUNK = 0.04;
/** Ten years: whoever counts more has counted wrong. */
const MOST_SECONDS = 10 * 365 * 24 * HOUR_S;
/** Fewer requests say little of the pace. */
const LEAST_TIMED = 20;

interface Counted {
  /** Units of the input, or its rows where no model is asked. */
  units: number;
  /** Absent where no model is asked. */
  tokens: { inputTokens: number; outputTokens: number; arithmetic: Readonly<Record<string, number>> } | undefined;
}

/** `pace`: of the model that is asked, over its last hour. An amount is null where nobody knows the price; then the total is, too. */
export function planEstimate(
  type: ProcessType,
  { units, tokens }: Counted,
  { currency, perHour, tokensCost }: PreviewPrices,
  pace?: Pace | undefined,
): EstimateView {
  const time = timeOf(type, units, tokens?.arithmetic, pace);
  const amounts: [
    what: Line['what'],
    quantity: number,
    per: number,
    amountOf: (quantity: number) => Micros | undefined,
  ][] = [
    ['inputTokens', tokens?.inputTokens ?? 0, MILLION, (prompt) => tokensCost({ prompt, completion: 0 })],
    ['outputTokens', tokens?.outputTokens ?? 0, MILLION, (completion) => tokensCost({ prompt: 0, completion })],
    ['worker', time.seconds, HOUR_S, (seconds) => costOfSeconds(perHour, seconds)],
  ];
  const lines = amounts
    .filter(([what]) => what === 'worker' || tokens !== undefined)
    .map(([what, quantity, per, amountOf]) => ({ what, quantity, price: amountOf(per), amount: amountOf(quantity) }));
  const known = lines.flatMap(({ amount }) => (amount === undefined ? [] : [amount]));
  return {
    tokens: tokens
      ? { input: tokens.inputTokens, output: tokens.outputTokens, arithmetic: { ...tokens.arithmetic } }
      : null,
    time,
    lines: lines.map((line) => ({ ...line, price: textOf(line.price), amount: textOf(line.amount) })),
    total: known.length === lines.length ? moneyText(sumOf(known)) : null,
    currency,
  };
}

const textOf = (amount: Micros | undefined): string | null => (amount === undefined ? null : moneyText(amount));

/** One step is a call of the model, a chunk that is embedded, or a row. */
function timeOf(
  type: ProcessType,
  units: number,
  arithmetic: Readonly<Record<string, number>> | undefined,
  pace: Pace | undefined,
): EstimateView['time'] {
  const counted = (type === 'KnowledgeBase' ? pace?.prompt : pace?.completion) ?? 0;
  const timed = pace && pace.requests >= LEAST_TIMED && counted > 0 ? pace : undefined;
  const msPerToken = timed && timed.ms / counted;
  const found = arithmetic ? asking(type, arithmetic, msPerToken) : rows(type, units);
  // As they are shown, so that they come to what is shown.
  const steps = Math.min(Math.round(found.steps), Number.MAX_SAFE_INTEGER);
  const each = Number(Math.min(found.each, MOST_SECONDS).toPrecision(2));
  return {
    ...{ seconds: START_SECONDS + Math.min(Math.ceil(steps * each), MOST_SECONDS), start_seconds: START_SECONDS },
    ...{ steps, seconds_each: each },
    timed_requests: arithmetic && timed ? timed.requests : null,
  };
}

const rows = (type: ProcessType, units: number) => ({ steps: units, each: SECONDS_PER_ROW[type] ?? 0 });

function asking(
  type: ProcessType,
  { requests = 0, chunks = 0, textTokens = 0, answerTokensEach = 0 }: Readonly<Record<string, number>>,
  msPerToken: number | undefined,
) {
  const atOnce = SECOND_MS * CALLS_AT_ONCE;
  if (type === 'KnowledgeBase') {
    const measured = msPerToken && (msPerToken * textTokens) / Math.max(1, chunks) / atOnce;
    return { steps: chunks, each: measured ?? ASSUMED_SECONDS_PER_CHUNK };
  }
  const { beginsMs, tokenMs } = ASSUMED_CALL;
  const callMs = msPerToken === undefined ? beginsMs + tokenMs * answerTokensEach : msPerToken * answerTokensEach;
  return { steps: requests, each: callMs / atOnce };
}
