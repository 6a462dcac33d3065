// The calls of /v1 for the OpenAPI document: OpenAI's own, as far as this platform answers them, and Cohere's ranking. They have a shape of
// errors and a security scheme of their own.
import * as z from 'zod';

interface ModelCall {
  method: 'get' | 'post';
  path: string;
  id: string;
  summary: string;
  /** In the path. */
  param?: string;
  body?: z.ZodType;
  answer: z.ZodType;
  /** Refusals that others have not, by their status. */
  refused?: Readonly<Record<string, string>>;
  /** It can be a stream of events, too. */
  isStream?: true;
}

const model = z.string().meta({ description: '`<organisation>/<deployment>`, `…:<adapter>`, or an alias.' });
const sampling = {
  model,
  stream: z.boolean().optional(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  seed: z.int().optional(),
};
const usage = z.looseObject({ prompt_tokens: z.int(), completion_tokens: z.int().optional(), total_tokens: z.int() });
const modelView = z.object({
  id: z.string(),
  name: z.string().meta({ description: 'What people call it; requests name the id.' }),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
});
const texts = z.union([z.string(), z.array(z.string())]);

const ranking = {
  body: z.object({
    model,
    query: z.string(),
    documents: z.array(z.string()),
    top_n: z.int().min(1).optional(),
    return_documents: z.boolean().optional(),
  }),
  answer: z.looseObject({
    id: z.string(),
    model: z.string(),
    results: z.array(
      z.object({
        index: z.int(),
        relevance_score: z.number().min(0).max(1),
        document: z.object({ text: z.string() }).optional(),
      }),
    ),
  }),
};

const half = z
  .object({ rank: z.int().min(1), score: z.number() })
  .nullable()
  .meta({ description: 'How this half of the search has found it; null where it has not.' });
const passage = z.object({
  chunk: z.int().min(0).meta({ description: 'Its row in the table of the version, from 0.' }),
  text: z.string(),
  is_cut: z.boolean().meta({ description: 'The text is longer, and all together would be too much.' }),
  score: z.number(),
  citation: z.object({
    file: z.string().nullable(),
    page: z.int().nullable(),
    paragraph_first: z.int().nullable(),
    paragraph_last: z.int().nullable(),
    row: z.int().nullable().meta({ description: 'Where the source was a table: its row there.' }),
  }),
  vector: half,
  words: half,
});
export type KnowledgePassage = z.output<typeof passage>;
const WAYS = ['both', 'vectors', 'words'] as const;
const passages = z.object({
  object: z.literal('list'),
  dataset: z.string(),
  version: z.int(),
  model: z.string(),
  by: z.enum(WAYS).meta({
    description: 'What was searched by: words, where both were asked for and the question has no vector of use.',
  }),
  data: z.array(passage),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
});
export type KnowledgeAnswer = z.output<typeof passages>;

const MODEL_CALLS: readonly ModelCall[] = [
  {
    ...{ method: 'get', path: '/v1/models', id: 'listServedModels', summary: 'The models that the token may call.' },
    answer: z.object({ object: z.literal('list'), data: z.array(modelView) }),
  },
  {
    ...{ method: 'get', path: '/v1/models/{model}', id: 'getServedModel', summary: 'One of them.', param: 'model' },
    answer: modelView,
  },
  {
    ...{ method: 'post', path: '/v1/chat/completions', id: 'createChatCompletion', isStream: true },
    summary: 'Goes on with a conversation.',
    body: z.looseObject({
      ...sampling,
      messages: z.array(z.looseObject({ role: z.string() })),
      max_completion_tokens: z.int().min(1).optional(),
      n: z.int().min(1).optional(),
      stop: texts.optional(),
      tools: z.array(z.looseObject({ type: z.literal('function') })).optional(),
      response_format: z.looseObject({ type: z.string() }).optional(),
    }),
    answer: z.looseObject({
      id: z.string(),
      object: z.literal('chat.completion'),
      created: z.int(),
      model: z.string(),
      choices: z.array(z.looseObject({ index: z.int(), finish_reason: z.string() })),
      usage: usage.optional(),
    }),
  },
  {
    ...{ method: 'post', path: '/v1/completions', id: 'createCompletion', isStream: true },
    summary: 'Goes on with a text.',
    body: z.looseObject({
      ...sampling,
      prompt: texts,
      max_tokens: z.int().min(1).optional(),
      n: z.int().min(1).optional(),
      echo: z.boolean().optional(),
      logprobs: z.int().optional(),
      stop: texts.optional(),
    }),
    answer: z.looseObject({
      id: z.string(),
      object: z.literal('text_completion'),
      created: z.int(),
      model: z.string(),
      choices: z.array(z.looseObject({ index: z.int(), text: z.string() })),
      usage: usage.optional(),
    }),
  },
  {
    ...{ method: 'post', path: '/v1/responses', id: 'createResponse', isStream: true },
    summary: 'Answers a conversation item by item. Nothing is stored.',
    body: z.looseObject({
      ...sampling,
      input: z.union([z.string(), z.array(z.looseObject({}))]),
      instructions: z.string().optional(),
      max_output_tokens: z.int().min(1).optional(),
      tools: z.array(z.looseObject({ type: z.literal('function'), name: z.string() })).optional(),
      text: z.looseObject({}).optional(),
    }),
    answer: z.looseObject({
      id: z.string(),
      object: z.literal('response'),
      created_at: z.int(),
      status: z.string(),
      model: z.string(),
      output: z.array(z.looseObject({ id: z.string(), type: z.string() })),
    }),
  },
  {
    ...{ method: 'post', path: '/v1/embeddings', id: 'createEmbedding', summary: 'Texts as vectors.' },
    body: z.looseObject({ model, input: texts, encoding_format: z.enum(['float', 'base64']).optional() }),
    answer: z.looseObject({
      object: z.literal('list'),
      data: z.array(z.looseObject({ index: z.int(), embedding: z.union([z.array(z.number()), z.string()]) })),
    }),
  },
  {
    ...{ method: 'post', path: '/v1/rerank', id: 'rerank', summary: 'Documents by how well they fit a query.' },
    ...ranking,
  },
  {
    ...{
      method: 'post',
      path: '/v2/rerank',
      id: 'rerankAsCohere',
      summary: 'The same, as Cohere’s newest client calls it.',
    },
    ...ranking,
  },
  {
    ...{ method: 'post', path: '/v1/knowledge/{dataset}/search', id: 'searchKnowledge', param: 'dataset' },
    summary: 'Passages of a knowledge base that fit a question, with where they stand in its documents.',
    body: z.strictObject({
      query: z.string().min(1).max(4000).meta({ description: 'Embedded by the model that the base was made with.' }),
      k: z.int().min(1).max(100).default(10).meta({ description: 'How many passages.' }),
      version: z.int().min(1).optional().meta({ description: 'The newest knowledge base where it is absent.' }),
      by: z
        .enum(WAYS)
        .default('both')
        .meta({ description: 'The nearest vectors, the same words, or both merged. Words alone ask no model.' }),
    }),
    answer: passages,
    refused: {
      409: 'The model answers with vectors of another length.',
      422: 'The data server refuses the question or the knowledge base.',
    },
  },
];

export const MODEL_TAG = { name: 'v1', description: 'Deployed models, as OpenAI’s clients call them.' };
export const MODEL_SECURITY = { type: 'http', scheme: 'bearer', description: 'An API token with the right `use`.' };
const ERROR = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string(),
  }),
});
const STATUSES: Readonly<Record<string, string>> = {
  400: 'The request cannot be answered; `param` names the field.',
  401: 'No valid token.',
  402: 'Not enough credit.',
  403: 'The token lacks the right.',
  404: 'There is no such model.',
  429: 'A limit or a budget of the token is reached.',
  502: 'The engine failed.',
  503: 'The model is not ready, or has no room.',
};

type Json = Record<string, unknown>;

export const modelSchemas = (schemaOf: (schema: z.ZodType, io: 'input' | 'output') => Json): Json => ({
  ModelError: schemaOf(ERROR, 'output'),
});

/** Their part of the document. */
export function modelPaths(schemaOf: (schema: z.ZodType, io: 'input' | 'output') => Json): Record<string, Json> {
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/ModelError' } } };
  const errorsOf = (statuses: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(statuses).map(([status, description]) => [status, { description, content: error }]),
    );
  return Object.fromEntries(
    MODEL_CALLS.map(({ method, path, id, summary, param, body, answer, isStream, refused }) => [
      path,
      {
        [method]: {
          operationId: id,
          tags: [MODEL_TAG.name],
          summary,
          security: [{ apiToken: [] }],
          ...(param && { parameters: [{ name: param, in: 'path', required: true, schema: { type: 'string' } }] }),
          ...(body && {
            requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } },
          }),
          responses: {
            200: {
              description: 'Success.',
              content: {
                'application/json': { schema: schemaOf(answer, 'output') },
                ...(isStream && { 'text/event-stream': { schema: { type: 'string' } } }),
              },
            },
            ...errorsOf({ ...STATUSES, ...refused }),
          },
        },
      },
    ]),
  );
}
