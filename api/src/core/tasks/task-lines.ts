// What a task's Pod may say (agent/task/README.md). It reads what tenants brought, so nothing of it is believed: only lines and fields
// that are named here are taken, within bounds.
import { METRICS, MOST_AT_ONCE, VERDICTS } from '@gantry/contract/kinds/evaluation-schema.ts';
import * as z from 'zod';
import { parseJson } from '../../platform/json-size.ts';
import { storable } from '../../platform/storable.ts';

const MOST_LINES = 500;
const MOST_UNITS = 64;
const MOST_ASKS = 64;
const MOST_VALUES = 80_000;
/** A part is in memory while it is stored. */
export const MOST_PART_BYTES = 4 * 1024 * 1024;
/** An integer of SQL. */
const MOST_SCORED = 2_147_483_647;
const MOST_CHECKPOINT_FILES = 1_000;
const MOST_OUTPUT_BYTES = 512 * 1024 * 1024 * 1024;

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const text = (most: number) => z.string().max(most).transform(storable);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const path = z.string().regex(/^out(\/[A-Za-z0-9_][A-Za-z0-9._=@+-]{0,127}){1,7}$/);
const file = { path, sha256 };
const fileName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/);
/** JSON has finite numbers alone. */
const amount = z.number().min(0);
const word = z.string().regex(/^[a-z][a-zA-Z0-9-]{0,31}$/);
const code = z.string().regex(/^[A-Z][A-Za-z0-9]{0,63}$/);
const values = z.record(z.string().regex(/^[a-z][A-Za-z0-9_]{0,31}$/), z.union([z.number(), z.boolean(), text(1024)]));
/** Of what a program logs; a longer value is cut, a longer name is none. */
const MOST_LOGGED = 250;
const cut = (value: string) => value.slice(0, MOST_LOGGED);
const loggedName = z.string().min(1).max(MOST_LOGGED).transform(storable);
/** Of an evaluation: subjects and tasks by their place. */
const subject = z
  .string()
  .regex(/^[0-7]$/)
  .transform(Number);
const task = z
  .string()
  .regex(/^(\d|1[0-5])$/)
  .transform(Number);
const share = z.number().min(0).max(1);
const change = z.number().min(-1).max(1);
const ms = amount.max(86_400_000);
const scored = { subject, task, metric: z.enum(METRICS), n: count.max(MOST_SCORED) };
/** How many, by what they were. */
const counts = z.record(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,31}$/), count);

const unit = z.object({
  unit: sha256,
  label: text(300),
  state: z.enum(['done', 'failed', 'skipped']),
  reason: text(500).optional(),
  rows: count,
  rejected: count,
});
export type Unit = z.output<typeof unit>;

const line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('plan'), units: count, kept: count }),
  z.object({
    type: z.literal('progress'),
    step: word,
    done: count,
    of: count,
  }),
  z.object({
    type: z.literal('part'),
    ...file,
    bytes: count.max(MOST_PART_BYTES),
    units: z.array(unit).min(1).max(MOST_UNITS),
  }),
  z.object({
    type: z.enum(['output', 'rejected']),
    ...file,
    name: fileName.optional(),
    /** What it is to the version: data, graph, vectors, words. */
    kind: word.optional(),
    bytes: count.max(MOST_OUTPUT_BYTES),
    rows: count.optional(),
    dimensions: count.optional(),
  }),
  z.object({
    type: z.literal('done'),
    rows: count,
    rejected: count,
    /** Why it ended before all units were done, and how many are left. */
    ended: code.optional(),
    unitsLeft: count.default(0),
    removed: counts.default({}),
    masked: counts.default({}),
  }),
  z.object({ type: z.literal('resumed'), step: count }),
  z.object({ type: z.literal('rehearsal'), peakBytes: count, secondsPerStep: amount, longest: count }),
  z.object({
    type: z.literal('point'),
    step: count,
    of: count.optional(),
    epoch: amount.optional(),
    loss: z.number().optional(),
    evalLoss: z.number().optional(),
    learningRate: amount.optional(),
    gradNorm: amount.optional(),
    tokens: count.optional(),
    tokensPerSecond: amount.optional(),
    secondsLeft: amount.optional(),
    isBroken: z.boolean().optional(),
  }),
  z.object({
    type: z.literal('checkpoint'),
    ...file,
    name: fileName,
    step: count,
    /** How many files the checkpoint of that step has: each is a line of its own. */
    files: count.min(1).max(MOST_CHECKPOINT_FILES),
    bytes: count.max(MOST_OUTPUT_BYTES),
  }),
  z.object({
    type: z.literal('score'),
    ...scored,
    ...{ value: share, low: share, high: share },
    ...{ promptTokens: count, completionTokens: count, p50Ms: ms.optional(), p99Ms: ms.optional() },
  }),
  z.object({
    type: z.literal('comparison'),
    ...scored,
    baseline: subject,
    ...{ difference: change, low: change, high: change },
    ...{ better: count.max(MOST_SCORED), worse: count.max(MOST_SCORED) },
    verdict: z.enum(VERDICTS),
  }),
  z.object({
    type: z.literal('load'),
    subject,
    concurrency: z.int().min(1).max(MOST_AT_ONCE),
    ...{ requests: count, failed: count, tokensPerSecond: amount },
    ...{ ttftP50Ms: ms.optional(), ttftP99Ms: ms.optional(), p50Ms: ms.optional(), p99Ms: ms.optional() },
  }),
  z.object({ type: z.enum(['param', 'tag']), name: loggedName, value: text(1024).transform(cut) }),
  z.object({ type: z.literal('metric'), name: loggedName, value: z.number(), step: count }),
  z.object({ type: z.literal('artifact'), name: loggedName, size: count }),
  z.object({ type: z.literal('failed'), code, sentence: text(1024).default(''), values: values.default({}) }),
]);
export type Line = z.output<typeof line>;

/** A line that is none of ours is taken, and says nothing. */
const numbered = z.object({ seq: count, line: line.optional().catch(undefined) });

const SHAPES = {
  journal: z.object({
    boot: z.string().regex(/^[0-9a-zA-Z-]{1,64}$/),
    lines: z.array(numbered).max(MOST_LINES),
    over: z.object({ code: z.int(), signal: z.string().max(32).default('') }).optional(),
  }),
  asks: z.object({
    asks: z
      .array(
        z.object({
          id: count,
          /** Absent: of no unit. */
          key: z.string().max(200).default(''),
          path: z.enum(['/v1/chat/completions', '/v1/completions', '/v1/embeddings']),
          body: z.string(),
        }),
      )
      .max(MOST_ASKS),
  }),
} as const;
export type AnswerName = keyof typeof SHAPES;
export type Answer<Name extends AnswerName> = z.output<(typeof SHAPES)[Name]>;
export type Ask = Answer<'asks'>['asks'][number];

/** For a thread. Throws where it is no JSON of that shape, or has too many values. */
export const readAnswer = <Name extends AnswerName>(bytes: Uint8Array, shape: Name): Answer<Name> =>
  SHAPES[shape].parse(parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), MOST_VALUES)) as Answer<Name>;
