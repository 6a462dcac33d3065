// The routes around /v1, which itself speaks OpenAI's own dialect and is no route of ours: names for several deployments, and the usage of
// tokens.
import * as z from 'zod';
import { currencyCode, money } from '../../fields/amounts.ts';
import { defineRoute } from '../../http/define-route.ts';
import { objectId } from '../../http/kind-bodies.ts';
import { modelDeployment } from '../../kinds/model-deployment.ts';
import { trafficView } from '../container-services/container-services.ts';

const tag = 'models';
const MOST_TARGETS = 20;
const MOST_WEIGHT = 1000;
export const MOST_USAGE_DAYS = 92;
export const MOST_USAGE_ROWS = 2_500;
/** The dimensions by which usage is summed. */
export const USAGE_GROUPS = ['model', 'token', 'person', 'day'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

const label = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
const count = z.number().int().min(0);

const target = z.strictObject({
  deployment: label,
  weight: z
    .int()
    .min(0)
    .max(MOST_WEIGHT)
    .meta({ description: 'Its share of requests; 0: only where no other one answers.' }),
});
const alias = z.object({
  id: z.string(),
  name: z.string(),
  targets: z.array(target),
  creator_id: z.string(),
  create_time: z.iso.datetime(),
  update_time: z.iso.datetime(),
});
export type ModelAliasView = z.output<typeof alias>;
const ofAlias = z.object({ id: z.string().regex(/^[a-z0-9-]{1,63}$/) });
const aliasBody = z.strictObject({ name: label, targets: z.array(target).min(1).max(MOST_TARGETS) });

const counts = {
  requests: count,
  prompt_tokens: count.meta({ description: 'All that were read, those from a cache among them.' }),
  cached_tokens: count,
  completion_tokens: count,
  estimated_requests: count.meta({
    description: 'Of these the engine said nothing, or nothing that could be: their tokens are our estimate.',
  }),
  amount: money,
};
const row = z.object({
  day: z.iso.date(),
  model: z.string().meta({ description: 'The deployment’s name.' }),
  account_id: z.string(),
  token_id: z.string().nullable().meta({ description: 'The API token; null for sessions.' }),
  ...counts,
});
export type TokenUsageRow = z.output<typeof row>;

const sum = z.object({
  key: z.string().meta({ description: 'The model, the API token (empty: the console), the account or the day.' }),
  ...counts,
});
export type UsageSumView = z.output<typeof sum>;

const duration = z.number().nullable();
/** The most requests of an hour that the speed of a deployment is computed from. */
export const MOST_TIMED = 10_000;
const deploymentTraffic = trafficView.extend({
  tokens: z
    .object({
      per_second: z.number().meta({ description: 'Those that it wrote over the last minute.' }),
      prompt: count,
      cached: count.meta({ description: 'Of the prompt: what the engine had in memory from requests before.' }),
      completion: count,
      first_p50_ms: duration.meta({
        description: 'Until the first token of a stream; of an answer in one piece, until all of it.',
      }),
      first_p95_ms: duration,
    })
    .nullable()
    .meta({
      description: `Of the requests of the last hour, the newest ${MOST_TIMED} at most; null: there were none.`,
    }),
});
export type DeploymentTrafficView = z.input<typeof deploymentTraffic>;

export const COMPLETION_ROUTES = {
  getDeploymentTraffic: defineRoute({
    id: 'getDeploymentTraffic',
    method: 'GET',
    path: `/${modelDeployment.collection}/{id}/traffic`,
    tag: 'deployment',
    summary: 'Its requests now and over the last hour: how many, how fast, how they ended, and their tokens.',
    access: { right: 'view' },
    params: z.strictObject({ id: objectId }),
    answer: { result: deploymentTraffic },
    problems: [],
  }),
  listModelAliases: defineRoute({
    id: 'listModelAliases',
    method: 'GET',
    path: '/model/v1/alias',
    tag,
    summary: 'The names under which the organisation calls several of its deployments.',
    access: { right: 'view' },
    answer: { result: z.object({ aliases: z.array(alias) }) },
    problems: [],
  }),
  createModelAlias: defineRoute({
    id: 'createModelAlias',
    method: 'POST',
    path: '/model/v1/alias',
    tag,
    summary: 'Spreads the requests of one name over deployments, by weight; one that does not answer is passed over.',
    access: { right: 'use' },
    body: aliasBody,
    answer: { result: alias },
    status: 201,
    problems: ['model_alias_exists', 'too_many_model_aliases'],
  }),
  editModelAlias: defineRoute({
    id: 'editModelAlias',
    method: 'PUT',
    path: '/model/v1/alias/{id}',
    tag,
    summary: 'Changes such a name, its deployments and their weights.',
    access: { right: 'use' },
    params: ofAlias,
    body: aliasBody,
    answer: { result: alias },
    problems: ['model_alias_exists'],
  }),
  deleteModelAlias: defineRoute({
    id: 'deleteModelAlias',
    method: 'DELETE',
    path: '/model/v1/alias/{id}',
    tag,
    summary: 'Forgets such a name; the deployments stay.',
    access: { right: 'use' },
    params: ofAlias,
    answer: { text: 'ok' },
    problems: [],
  }),
  getTokenUsage: defineRoute({
    id: 'getTokenUsage',
    method: 'GET',
    path: '/model/v1/usage',
    tag,
    summary:
      'Tokens by UTC day, model, person and API token; whoever does not manage sees the own ones. Some seconds behind.',
    access: { right: 'view' },
    query: z.strictObject({
      from: z.iso
        .date()
        .optional()
        .meta({ description: 'The first day; 30 days before the last one where absent, and at most 92.' }),
      to: z.iso.date().optional().meta({ description: 'The last day; today where absent.' }),
      by: z.enum(USAGE_GROUPS).default('model').meta({ description: 'What the sums are of.' }),
    }),
    answer: {
      result: z.object({
        from: z.iso.date(),
        to: z.iso.date(),
        currency: currencyCode,
        rows: z.array(row).meta({ description: `The newest, ${MOST_USAGE_ROWS} at most.` }),
        complete: z
          .boolean()
          .meta({ description: 'Whether these are all rows. Sums and total are of all in any case.' }),
        sums: z.array(sum),
        total: z.object(counts),
      }),
    },
    problems: [],
  }),
};
