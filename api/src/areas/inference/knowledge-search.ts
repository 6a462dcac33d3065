// /v1/knowledge/{dataset}/search: the model that a knowledge base was made with embeds the question, asked and paid as any request of the
// caller's; then the data server of the caller's organisation searches. Nobody pays for a question before the base can be searched.
import type { Agent, IncomingMessage } from 'node:http';
import { Problem, type ProblemCode } from '@gantry/contract/http/problem.ts';
import type { Passage } from '../../core/data-server/server-answers.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { BadAnswer, Broken, readWhole, send } from '../../platform/pods/call-pod.ts';
import { invalid, missing, Refusal, type RefusalCode } from './refusals.ts';

/** A version that can be searched. Its methods throw Problems, as `KnowledgeBases` does. */
export interface KnowledgeBase {
  version: number;
  /** As /v1 calls it. */
  model: string;
  dimensions: number;
  /** Resolves once it can be searched without waiting. */
  bring(signal: AbortSignal): Promise<void>;
  /** Best first. */
  search(asked: { vector?: readonly number[]; text?: string; k: number }, signal: AbortSignal): Promise<Passage[]>;
}

export interface KnowledgeBases {
  /** The newest one of the dataset where no version is named; undefined where there is none. */
  find(caller: Caller, wish: { dataset: string; version: number | undefined }): Promise<KnowledgeBase | undefined>;
}

export interface Question {
  query: string;
  k: number;
  version: number | undefined;
  by: (typeof WAYS)[number];
}

const WAYS = ['both', 'vectors', 'words'] as const;
const MOST_QUERY = 4_000;
const MOST_K = 100;
const USUAL_K = 10;
const MOST_VERSION = 999_999;
const MOST_ANSWER_BYTES = 2 * 1024 * 1024;
/** A shorter vector is what is left of rounding, and has no direction (torch.nn.functional.normalize has the same limit). */
const LEAST_LENGTH = 1e-12;
/** As long as a model may take to its first byte. */
const EMBEDS_WITHIN_MS = 600_000;
const PATH = /^\/v1\/knowledge\/([a-z0-9-]{1,63})\/search$/;
/** Of the model's answer: what says how much its key may still ask, and when to ask again. */
const PASSED_HEADERS = /^(x-ratelimit-.*|retry-after|x-should-retry|x-request-id)$/;

/** The dataset in the path; undefined: it is another call's. */
export const datasetIn = (path: string): string | undefined => PATH.exec(path)?.[1];

/** Throws a Refusal that names the field. */
export function readQuestion(text: string): Question {
  const body = parsed(text);
  const strange = Object.keys(body).find((name) => !['query', 'k', 'version', 'by'].includes(name));
  if (strange !== undefined) {
    const param = strange.slice(0, 100);
    throw new Refusal('unknown_parameter', { param }, { param });
  }
  const { query, by = 'both' } = body;
  if (query === undefined) throw missing('query');
  if (typeof query !== 'string' || query.trim() === '' || query.length > MOST_QUERY || !query.isWellFormed())
    throw invalid('query', `query has to be a text of 1 to ${MOST_QUERY} characters.`);
  const way = WAYS.find((one) => one === by);
  if (!way) throw invalid('by', `by has to be one of ${WAYS.join(', ')}.`);
  return {
    query,
    by: way,
    k: numberIn(body, 'k', MOST_K) ?? USUAL_K,
    version: numberIn(body, 'version', MOST_VERSION),
  };
}

export interface Searching {
  caller: Caller;
  /** The caller's: the model is asked with it. */
  token: string;
  /** The question's own connection, whose other end is the listener that answers /v1. */
  socket: IncomingMessage['socket'];
  agent: Agent;
  /** Throws a Refusal where the caller may not use this model; counts the search as a request. */
  admit(model: string): Promise<void>;
  signal: AbortSignal;
}

export interface Searched {
  status: number;
  /** JSON. */
  body: string;
  headers: Record<string, string>;
}

/**
 * Throws a Refusal. What the model's own call refuses is handed on as it is. Where both halves are asked for and the vector is of no use, the
 * words alone are searched, and the answer says so.
 */
export async function searchKnowledge(
  bases: KnowledgeBases,
  dataset: string,
  { query, k, version, by }: Question,
  searching: Searching,
): Promise<Searched> {
  const { caller, signal } = searching;
  try {
    const base = await bases.find(caller, { dataset, version });
    if (!base) throw new Refusal('knowledge_none', { dataset });
    let embedded: Embedded | undefined;
    if (by === 'words') await searching.admit(base.model);
    else {
      await base.bring(signal);
      const answer = await embed(searching, base, query);
      if (!('vector' in answer)) return answer;
      embedded = answer;
    }
    const found = await searchBy(base, by, { query, vector: embedded?.vector, k }, signal);
    const tokens = embedded?.tokens ?? 0;
    const body = JSON.stringify({
      ...{ object: 'list', dataset, version: base.version, model: base.model, by: found.by },
      data: found.passages.map(passageView),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    });
    return { status: 200, body, headers: embedded?.headers ?? {} };
  } catch (error) {
    throw refusalOf(error, { dataset, version });
  }
}

/** `by` is what was really searched by. */
async function searchBy(
  base: KnowledgeBase,
  by: Question['by'],
  { query: text, vector = [], k }: { query: string; vector: readonly number[] | undefined; k: number },
  signal: AbortSignal,
): Promise<{ by: Question['by']; passages: Passage[] }> {
  if (by === 'vectors') return { by, passages: await base.search({ vector, k }, signal) };
  const words = async () => ({ by: 'words', passages: await base.search({ text, k }, signal) }) as const;
  if (by === 'words' || !hasDirection(vector)) return words();
  try {
    return { by, passages: await base.search({ vector, text, k }, signal) };
  } catch (error) {
    const isRefused = error instanceof Problem && error.problem === 'dataset_query_refused';
    if (!isRefused) throw error;
    return words();
  }
}

const hasDirection = (vector: readonly number[]): boolean =>
  Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) >= LEAST_LENGTH;

interface Embedded {
  vector: readonly number[];
  tokens: number;
  headers: Record<string, string>;
}

/** As any client asks /v1, so that rights, limits, prices and meters are the same. */
async function embed(
  { socket, token, agent, signal, caller }: Searching,
  { model, dimensions }: KnowledgeBase,
  query: string,
): Promise<Embedded | Searched> {
  const bytes = JSON.stringify({ model, input: query, encoding_format: 'float' });
  const { localAddress: host = '127.0.0.1', localPort: port = 0 } = socket;
  const answer = await send(
    { id: caller.organization.id, host, port, agent, token },
    {
      ...{ method: 'POST', path: '/v1/embeddings', body: { bytes, length: Buffer.byteLength(bytes) } },
      ...{ idleMs: EMBEDS_WITHIN_MS, signal },
    },
  );
  const text = Buffer.from(await readWhole(answer, MOST_ANSWER_BYTES)).toString('utf8');
  const headers = Object.fromEntries(
    Object.entries(answer.headers).filter(([name]) => PASSED_HEADERS.test(name)),
  ) as Record<string, string>;
  const { statusCode: status = 500 } = answer;
  if (status !== 200) return { status, body: text, headers };
  const { data, usage } = parsed(text) as { data?: unknown; usage?: { prompt_tokens?: unknown } };
  const vector = Array.isArray(data) ? (data[0] as { embedding?: unknown } | undefined)?.embedding : undefined;
  if (!Array.isArray(vector) || !vector.every((value) => typeof value === 'number' && Number.isFinite(value)))
    throw new Refusal('engine_failed', { detail: 'it answers without a vector' });
  if (vector.length !== dimensions)
    throw new Refusal('knowledge_other_vectors', { model, is: `${vector.length}`, was: `${dimensions}` });
  const tokens = usage?.prompt_tokens;
  return { vector, tokens: typeof tokens === 'number' ? tokens : 0, headers };
}

const passageView = ({ chunk, text, isCut, score, vector, words, ...place }: Passage) => ({
  ...{ chunk, text, is_cut: isCut, score },
  citation: {
    file: place.file,
    page: place.page,
    paragraph_first: place.paragraph_first,
    paragraph_last: place.paragraph_last,
    row: place.row,
  },
  ...{ vector, words },
});

const REFUSED: Readonly<Partial<Record<ProblemCode, RefusalCode>>> = {
  not_found: 'knowledge_not_found',
  dataset_preparing: 'knowledge_preparing',
  dataset_query_refused: 'knowledge_refused',
  dataset_query_too_much: 'knowledge_refused',
  dataset_query_too_large: 'knowledge_refused',
  dataset_server_failed: 'knowledge_unavailable',
  model_store_off: 'knowledge_unavailable',
  model_store_away: 'knowledge_unavailable',
  unavailable: 'knowledge_unavailable',
};

function refusalOf(error: unknown, { dataset, version }: { dataset: string; version: number | undefined }): unknown {
  if (error instanceof Broken || error instanceof BadAnswer)
    return new Refusal('knowledge_unavailable', { detail: 'the model’s answer broke off.' });
  const code = error instanceof Problem ? REFUSED[error.problem] : undefined;
  if (!(error instanceof Problem) || code === undefined) return error;
  const param = code === 'knowledge_not_found' && version !== undefined ? 'version' : null;
  const percent = `${error.args.percent ?? 0}`;
  return new Refusal(code, { dataset, percent, detail: error.message }, { param });
}

function parsed(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  } catch (error) {
    throw new Refusal('invalid_json', { detail: (error as Error).message.slice(0, 200) });
  }
  throw new Refusal('invalid_json', { detail: 'it is something else' });
}

function numberIn(body: Record<string, unknown>, name: string, most: number): number | undefined {
  const { [name]: value } = body;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
    throw invalid(name, `${name} has to be a whole number from 1 to ${most}.`);
  return value;
}
