// What is behind a data processing task: the units of its work, and what was rejected.
import * as z from 'zod';
import { currencyCode, money } from '../../fields/amounts.ts';
import { defineRoute } from '../../http/define-route.ts';
import { creationBody } from '../../http/kind-bodies.ts';
import { cursorQuery } from '../../http/paging.ts';
import { time } from '../../kind-api.ts';
import { PROCESS_BLOCKS, spec } from '../../kinds/data-process-schema.ts';
import { TRANSFER_ENDS } from '../models/model-facets.ts';

const UNIT_STATES = ['done', 'failed', 'skipped'] as const;

const count = z.int().min(0);
const params = z.object({ id: z.string().regex(/^[a-z0-9-]{1,63}$/) });
const tag = 'data';
const path = '/data/v1/data/dataset/processing/{id}';
const view = { right: 'view' } as const;

const unit = z.object({
  unit: z.string().meta({ description: 'What is to be done and of which content: equal ones are done once.' }),
  label: z.string().meta({ description: 'Where it stands in the input.' }),
  state: z.enum(UNIT_STATES),
  reason: z.string().nullable().meta({ description: 'Why it failed or was skipped, as one CamelCase word.' }),
  reason_label: z.string().nullable().meta({ description: 'The same as a sentence.' }),
  rows: count.meta({ description: 'Rows that were made of it.' }),
  rejected: count,
  run: count.meta({ description: 'The number of the run that did it.' }),
  time,
});
export type ProcessUnitView = z.input<typeof unit>;

const estimateLine = z.object({
  what: z.enum(['inputTokens', 'outputTokens', 'worker']),
  quantity: count.meta({ description: 'Tokens, or seconds of the worker.' }),
  price: money.nullable().meta({
    description:
      'Of a million tokens, or of an hour, after discounts. 0.00: these tokens cost nothing. Null: nobody knows it.',
  }),
  amount: money.nullable(),
});

const preview = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(z.unknown())).meta({
    description:
      'Without a model: what would be made of the first rows. With one: the passages that it would be asked about.',
  }),
  cut: z
    .array(z.tuple([count, count, count]))
    .meta({ description: 'Cells that are longer than shown: row and column in this answer, and the length.' }),
  units: z.object({
    count,
    is_exact: z.boolean().meta({ description: 'False: the first ones were counted, and scaled up.' }),
  }),
  estimate: z
    .object({
      tokens: z
        .object({
          input: count,
          output: count,
          arithmetic: z
            .record(z.string(), z.number())
            .meta({ description: 'The numbers that they come about by, from a sample that is scaled up.' }),
        })
        .nullable()
        .meta({ description: 'Null: no model is asked.' }),
      time: z
        .object({
          seconds: count,
          start_seconds: count,
          steps: count.meta({ description: 'Calls of the model, chunks that are embedded, or rows.' }),
          seconds_each: z.number().min(0).meta({ description: 'Of a step; several are done at once.' }),
          timed_requests: count.nullable().meta({
            description: 'How many requests of the model’s last hour say how long a step takes. Null: it is assumed.',
          }),
        })
        .meta({ description: 'How long the worker runs: its start, and then steps × seconds_each.' }),
      lines: z.array(estimateLine),
      total: money.nullable().meta({ description: 'The sum of the lines. Null where a line has no price.' }),
      currency: currencyCode,
    })
    .meta({ description: 'Of the whole input, as if nothing were kept from earlier runs.' }),
  prompts: z
    .array(
      z.object({ label: z.string(), input_tokens: count, body: z.string().meta({ description: 'JSON, exactly.' }) }),
    )
    .meta({ description: 'The first calls of the model.' }),
});
export type ProcessPreviewView = z.input<typeof preview>;

const SIZE = ['cores', 'memoryGi', 'host'] as const;
const PREVIEWED = ['type', 'input', 'model', ...Object.values(PROCESS_BLOCKS), 'maxRejectedPercent', ...SIZE] as const;
export const previewBody = creationBody(spec, ...PREVIEWED);

export const PROCESSING_ROUTES = {
  previewDataProcess: defineRoute({
    id: 'previewDataProcess',
    method: 'POST',
    path: '/data/v1/data/dataset/processing/preview',
    tag,
    summary:
      'What a task would make of the first 50 rows, and what it would cost, before anything is paid. No model is asked.',
    access: view,
    asks: true,
    body: previewBody,
    answer: { result: preview },
    problems: [
      ...(['dataset_no_table', 'dataset_preparing', 'dataset_query_refused', 'dataset_query_too_much'] as const),
      ...(['dataset_query_too_large', 'dataset_server_failed', 'model_store_off', 'model_store_away'] as const),
      'plain_text',
    ],
  }),
  listDataProcessUnits: defineRoute({
    id: 'listDataProcessUnits',
    method: 'GET',
    path: `${path}/unit`,
    tag,
    summary:
      'The pieces of work that a task has done, failed at or skipped. Running it again tries the failed ones again.',
    access: view,
    params,
    query: z.strictObject({ ...cursorQuery(50), state: z.enum(UNIT_STATES).optional() }),
    answer: { list: unit },
    problems: ['cursor_rule', 'model_store_off'],
  }),
  downloadDataProcessRejected: defineRoute({
    id: 'downloadDataProcessRejected',
    method: 'GET',
    path: `${path}/rejected`,
    tag,
    summary: 'What the newest version that the task has made does not have, with reasons, as JSON Lines.',
    access: view,
    params,
    answer: { file: 'application/octet-stream' },
    problems: ['model_store_off', 'model_store_away', 'table_unreadable', 'too_many_downloads', ...TRANSFER_ENDS],
    exempt: true,
  }),
};
